import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { run } from "../../support/cluster/run.ts";
import { PEPR_MODULE } from "./pepr-module.ts";

const VERSION = "1.1.4";

type Package = { readonly dependencies: Readonly<Record<string, string>> };

/** Bundles the module with the options that `pepr build` has: what its image brings along stays outside. */
const bundled = async (folder: string): Promise<string> => {
  const entry = join(folder, "pepr.ts");
  await writeFile(entry, PEPR_MODULE);
  const { dependencies }: Package = JSON.parse(
    await readFile(join(folder, "node_modules/pepr/package.json"), "utf8"),
  );
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    external: [...Object.keys(dependencies), "pepr", "@kubernetes/client-node"],
    format: "cjs",
    keepNames: true,
    minify: true,
    platform: "node",
    treeShaking: true,
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
};

/**
 * Lays out in `folder` what Pepr's image has in /app: its packages, its controller, and the module as an archive that is named by its digest.
 * Gives the controller's command. The controller is Pepr's own, but for the path of that folder, which it has written in.
 */
export const installPepr = async (
  folder: string,
  say: (line: string) => void,
): Promise<readonly string[]> => {
  say(`installing pepr ${VERSION}`);
  await mkdir(join(folder, "load"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "app", private: true }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await run(["npm", "install", "--save-exact", ...quiet, `pepr@${VERSION}`], { cwd: folder });
  const code = await bundled(folder);
  const hash = createHash("sha256").update(code).digest("hex");
  await writeFile(join(folder, "load", `module-${hash}.js.gz`), gzipSync(code));
  const dist = join(folder, "node_modules/pepr/dist");
  const controller = join(dist, "controller-elsewhere.js");
  const own = await readFile(join(dist, "controller.js"), "utf8");
  await writeFile(controller, own.replaceAll("/app/", `${folder}/`));
  return [process.execPath, controller, hash];
};
