import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../support/build/bundle.ts";
import { compiledGo } from "../compiled-go.ts";

/** Everything that is started besides the cluster. */
export type Programs = {
  /** The reference controller. */
  readonly reference: string;
  /** The functions' bundles. */
  readonly source: string;
  readonly reconcile: string;
};

/** Compiles the reference into the cache, once for these sources, and bundles the functions as they are now. Needs Go. */
export const programs = async (say: (line: string) => void): Promise<Programs> => {
  const folder = await mkdtemp(join(tmpdir(), "sampledb-bench-"));
  const [source, reconcile] = await Promise.all([bundle("source", folder), bundle("reconcile", folder)]);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reference = await compiledGo(join(import.meta.dirname, "reference"), say);
  return { reference, source: source.file, reconcile: reconcile.file };
};
