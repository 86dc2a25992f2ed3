import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../support/build/bundle.ts";
import { run } from "../../support/cluster/run.ts";
import { cacheFolder } from "../../support/images/cache-folder.ts";
import { withLock } from "../../support/images/with-lock.ts";

const MODULE = join(import.meta.dirname, "reference");

/** Everything that is started besides the cluster. */
export type Programs = {
  /** The reference controller. */
  readonly reference: string;
  /** The functions' bundles. */
  readonly source: string;
  readonly reconcile: string;
};

const hashOfSources = (): string => {
  const hash = createHash("sha256");
  for (const file of globSync("**/*", { cwd: MODULE }).toSorted()) {
    if (!/\.(go|mod|sum)$/u.test(file)) continue;
    hash.update(`${file}\n`).update(readFileSync(join(MODULE, file)));
  }
  return hash.digest("hex").slice(0, 16);
};

const compiled = async (say: (line: string) => void): Promise<string> => {
  const folder = join(cacheFolder(), `bench-events-${hashOfSources()}`);
  await withLock(join(cacheFolder(), "bench-events.lock"), async () => {
    if (existsSync(folder)) return;
    say("compiling the reference controller (once)");
    await mkdir(cacheFolder(), { recursive: true });
    const out = await mkdtemp(`${folder}.tmp-`);
    try {
      const flags = ["-mod=readonly", "-trimpath", "-ldflags", "-s -w"];
      await run(["go", "build", ...flags, "-o", `${out}/`, "."], { cwd: MODULE });
      await rename(out, folder);
    } finally {
      await rm(out, { recursive: true, force: true });
    }
  });
  return join(folder, "events");
};

/** Compiles the reference into the cache, once for these sources, and bundles the functions as they are now. Needs Go. */
export const programs = async (say: (line: string) => void): Promise<Programs> => {
  const folder = await mkdtemp(join(tmpdir(), "sampledb-bench-"));
  const [source, reconcile] = await Promise.all([bundle("source", folder), bundle("reconcile", folder)]);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { reference: await compiled(say), source: source.file, reconcile: reconcile.file };
};
