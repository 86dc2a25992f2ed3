/** `npm run image`: the functions' image, built, pushed and known by its digest. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildImage } from "./image/build-image.ts";
import { parseOptions, USAGE } from "./image/options.ts";
import { main } from "./shared/main.ts";

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"),
);

// npm starts its scripts in the checkout; INIT_CWD is where the user was.
const cwd = process.env["INIT_CWD"] ?? process.cwd();

process.exitCode = await main({
  parsed: parseOptions(process.argv.slice(2), { cwd, version }),
  usage: USAGE,
  connection: () => ({}),
  interrupted: "Run the same again to go on.",
  go: buildImage,
});
