import { initialize } from "../initialize/initialize.ts";
import { provision } from "../provision/provision.ts";
import { report } from "../report/report.ts";
import { retire } from "../retire/retire.ts";
import { serveReconcile } from "../shared/serve/serve-reconcile.ts";

// `report` is last: it tells what was refused to the others.
await serveReconcile([provision, initialize, retire, report], process.env);
