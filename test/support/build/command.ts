/** Makes only what `npm pack` packs. Says nothing: pre-commit reads the package's name from npm's output. */
import { resolve } from "node:path";
import { commandBundle } from "./bundle.ts";

await commandBundle(resolve(import.meta.dirname, "../../../dist"));
