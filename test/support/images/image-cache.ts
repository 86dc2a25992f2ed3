import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

import { cacheFolder } from "./cache-folder.ts";
import { withLock } from "./with-lock.ts";

const HOUR = 3_600_000;
const UNUSED_DAYS = 14;
const KEPT_OF_EACH = 3;
const PARTIAL = ".partial";

/** The folder that holds all images, one subfolder for each hash. */
function imagesFolder(): string {
  return path.join(cacheFolder(), "images");
}

/** A short hash of texts and of files' contents, in this order. */
export async function hashOf(texts: readonly string[], files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length} ${text}`);
  for (const file of files) {
    const content = await readFile(file);
    hash.update(`${content.length} `).update(content);
  }
  return hash.digest("hex").slice(0, 20);
}

/** The path of a cached image that is complete, or undefined. Asking counts as using it. */
export async function cachedImage(key: string, file: string): Promise<string | undefined> {
  const folder = path.join(imagesFolder(), key);
  const found = path.join(folder, file);
  if (!existsSync(found)) return undefined;
  const now = new Date();
  await utimes(folder, now, now);
  return found;
}

/**
 * Returns the cached image, after making it where it is missing: `make` fills a work folder, `file` in it is kept.
 * One process builds at a time, and an image appears whole or not at all.
 */
export async function cacheImage(
  key: string,
  file: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  return withLock(path.join(imagesFolder(), "build.lock"), async () => {
    const found = await cachedImage(key, file);
    if (found !== undefined) return found;
    await sweep();
    const folder = path.join(imagesFolder(), key + PARTIAL);
    await mkdir(folder, { recursive: true });
    try {
      await make(folder);
      await rename(folder, path.join(imagesFolder(), key));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return path.join(imagesFolder(), key, file);
  });
}

/** A cached image's folder and when it was last used, in milliseconds since the epoch. */
export interface CacheEntry {
  readonly folder: string;
  readonly file: string;
  readonly usedAt: number;
}

/**
 * Which entries may go: those unused for two weeks, and of each image those beyond the three used last. An hour's use
 * protects any, since somebody may be reading it.
 */
export function unusedEntries(entries: readonly CacheEntry[], now: number): CacheEntry[] {
  const seen = new Map<string, number>();
  const newestFirst = entries.toSorted((a, b) => b.usedAt - a.usedAt);
  return newestFirst.filter(({ file, usedAt }) => {
    const newer = seen.get(file) ?? 0;
    seen.set(file, newer + 1);
    const age = now - usedAt;
    return age > UNUSED_DAYS * 24 * HOUR || (newer >= KEPT_OF_EACH && age > HOUR);
  });
}

async function sweep(): Promise<void> {
  const entries: CacheEntry[] = [];
  for (const entry of await readdir(imagesFolder(), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = path.join(imagesFolder(), entry.name);
    // Under the lock nobody else builds: what is partial was left by a process that was killed.
    if (entry.name.endsWith(PARTIAL)) await rm(folder, { recursive: true, force: true });
    else {
      const [file = ""] = await readdir(folder);
      entries.push({ folder, file, usedAt: (await stat(folder)).mtimeMs });
    }
  }
  for (const { folder } of unusedEntries(entries, Date.now()))
    await rm(folder, { recursive: true, force: true });
}
