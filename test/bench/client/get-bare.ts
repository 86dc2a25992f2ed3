import { bareClient } from "./bare-client.ts";

/** One GET of the path in the first argument, with node:https alone. Writes a line when it is answered. */
const client = await bareClient(process.env);
await client.get(process.argv[2] ?? "");
process.stdout.write("answered\n");
client.close();
