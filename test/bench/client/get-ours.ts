import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import { deadlineIn } from "../../../functions/shared/kube/deadline.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";

/** One GET of the path in the first argument, with the functions' client. Writes a line when it is answered. */
const api = apiServer(readAccess(process.env));
JSON.parse(await api.call({ method: "GET", path: process.argv[2] ?? "", signal: deadlineIn(8000) }));
process.stdout.write("answered\n");
api.close();
