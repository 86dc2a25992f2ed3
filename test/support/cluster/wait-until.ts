export { Hopeless, waitUntil } from "../../../deploy/shared/wait-until.ts";
