import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { withLock } from "../images/with-lock.ts";
import type { Unit } from "./pins.ts";
import { linkerFlags, pinsFolder } from "./pins.ts";
import { dieWithOwner } from "../die-with-owner.ts";
import { run } from "./run.ts";

/** Whether every binary of the unit is in the folder. Each got there by one rename, so what is there is whole. */
const isCompiled = (unit: Unit, folder: string): boolean =>
  unit.binaries.every((name) => existsSync(join(folder, name)));

/** Downloads what the unit is built from. A network that fails for a moment must not end an hour's run: tried three times. */
const fetchModules = async (unit: Unit, where: Parameters<typeof run>[1]): Promise<void> => {
  const list = ["go", "list", "-mod=readonly", "-deps", ...(unit.flags ?? []), ...unit.packages];
  for (let tries = 1; ; tries += 1) {
    try {
      await run(dieWithOwner(list), where);
      return;
    } catch (error) {
      if (tries === 3) throw error;
      await delay(tries * 5000);
    }
  }
};

/** Compiles one unit from its pinned module (go.sum checked) and moves the binaries into `folder`. */
const compileUnit = async (unit: Unit, folder: string): Promise<void> => {
  const work = await mkdtemp(join(folder, ".tmp-"));
  try {
    const [out, goTemporary] = [join(work, "out"), join(work, "go")];
    for (const part of [out, goTemporary]) await mkdir(part);
    // The linker's files are large, and /tmp may be small. The module is the one in its folder, whatever workspace lies above it.
    const env = { ...process.env, GOTMPDIR: goTemporary, GOWORK: "off" };
    const where = { cwd: join(pinsFolder, unit.module), env };
    await fetchModules(unit, where);
    // Not stamped with the checkout's commit: git refuses a checkout that belongs to another user.
    const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", ...(unit.flags ?? [])];
    const linking = ["-ldflags", linkerFlags(unit.module)];
    // `-o folder/` names each file after its package's folder, so a package at a module's root needs its own name.
    const build = ["go", "build", ...flags, ...linking, "-o", `${out}/`, ...unit.packages];
    await run(dieWithOwner(build), where);
    const made = await readdir(out);
    for (const [index, name] of unit.binaries.entries()) {
      const compiled = made.includes(name) ? name : made[index];
      if (compiled === undefined) throw new Error(`go build made no ${name}`);
      await rename(join(out, compiled), join(folder, name));
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const requireGo = async (): Promise<void> => {
  try {
    await run(["go", "version"]);
  } catch {
    throw new Error(
      "The local cluster is compiled once with Go, and `go` was not found: install Go 1.26 or newer (https://go.dev/dl) and put it on PATH, or name a cluster of your own with --context or KUBECONFIG.",
    );
  }
};

type Progress = (line: string) => void;

const compileInTurn = async (all: readonly Unit[], folder: string, onProgress: Progress): Promise<void> => {
  const began = Date.now();
  // We hold the lock, so these belong to a process that was killed.
  for (const name of await readdir(folder)) {
    if (name.startsWith(".tmp-")) await rm(join(folder, name), { recursive: true, force: true });
  }
  const elapsed = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  for (const [index, unit] of all.entries()) {
    if (isCompiled(unit, folder)) continue;
    const line = (): void => {
      onProgress(`compiling ${unit.name}, ${index + 1} of ${all.length} (once; ${elapsed()} so far)`);
    };
    line();
    const repeat = setInterval(line, 10_000);
    try {
      await compileUnit(unit, folder);
    } finally {
      clearInterval(repeat);
    }
  }
  onProgress(`compiled in ${elapsed()}, kept in ${folder}`);
};

/** Sources, Go's own cache and the binaries together, measured. */
const gigabytesNeeded = 6;

const requireSpace = async (folder: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / 2 ** 30;
  if (free < gigabytesNeeded) {
    throw new Error(
      `Compiling the local cluster needs ${gigabytesNeeded} GB of disk space, and ${folder} has ${free.toFixed(1)} GB: free some, or set XDG_CACHE_HOME to a folder on another disk.`,
    );
  }
};

/** Compiles those units that `folder` lacks, one after the other; a second process that wants the same waits for the first. */
export const compile = async (all: readonly Unit[], folder: string, onProgress: Progress): Promise<void> => {
  if (all.every((unit) => isCompiled(unit, folder))) return;
  await requireGo();
  await mkdir(folder, { recursive: true });
  await requireSpace(folder);
  const waiting = setTimeout(() => {
    onProgress("waiting for another process that compiles the same");
  }, 2000);
  const work = async (): Promise<void> => {
    clearTimeout(waiting);
    if (!all.every((unit) => isCompiled(unit, folder))) await compileInTurn(all, folder, onProgress);
  };
  await withLock(join(folder, ".lock"), work).finally(() => {
    clearTimeout(waiting);
  });
};
