import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "../support/cluster/run.ts";
import { cacheFolder } from "../support/images/cache-folder.ts";
import { withLock } from "../support/images/with-lock.ts";

const hashOf = (folder: string): string => {
  const hash = createHash("sha256");
  for (const file of globSync("**/*", { cwd: folder }).toSorted()) {
    if (!/\.(go|mod|sum)$/u.test(file)) continue;
    hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 16);
};

const moduleIn = (folder: string): string =>
  /^module (?<name>\S+)$/mu.exec(readFileSync(join(folder, "go.mod"), "utf8"))?.groups?.["name"] ?? "";

/** The program of the Go module in `folder`, compiled into the cache once for these sources. Needs Go. */
export const compiledGo = async (folder: string, say: (line: string) => void): Promise<string> => {
  const name = basename(moduleIn(folder));
  const place = join(cacheFolder(), `bench-${name}-${hashOf(folder)}`);
  await mkdir(cacheFolder(), { recursive: true });
  await withLock(join(cacheFolder(), `bench-${name}.lock`), async () => {
    if (existsSync(place)) return;
    say(`compiling ${name} (once)`);
    const out = await mkdtemp(`${place}.tmp-`);
    try {
      const flags = ["-mod=readonly", "-trimpath", "-ldflags", "-s -w"];
      await run(["go", "build", ...flags, "-o", `${out}/`, "."], { cwd: folder });
      await rename(out, place);
    } finally {
      await rm(out, { recursive: true, force: true });
    }
  });
  return join(place, name);
};
