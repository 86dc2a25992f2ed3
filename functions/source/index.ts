import { setFlagsFromString } from "node:v8";
import { serveSource } from "./serve-source.ts";

// It waits and copies names: what V8's optimizing compilers take for themselves, a fifth of the process's memory, buys nothing here.
setFlagsFromString("--no-opt");
setFlagsFromString("--no-maglev");

await serveSource(process.env);
