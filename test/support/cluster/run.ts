export { run } from "../../../deploy/shared/run.ts";
