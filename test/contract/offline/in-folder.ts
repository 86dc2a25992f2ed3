import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, Ended } from "./command.ts";

export type Files = Readonly<Record<string, string | Buffer>>;

/** Manifests: one that is right, one that is wrong and what is told of it, one that is worth a warning. */
export const SOUND = "apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata:\n  name: orders\n";
export const WRONG = `${SOUND}spec:\n  version: 17\n`;
export const TOLD = '6:12: spec.version: 17: must be a string: write it in quotes, "17"';
export const WIPE = `${SOUND}spec:\n  deletion: {policy: Wipe}\n`;

/** Writes files into a new folder, and runs the command there. */
export const inFolder = async (
  { validate }: Command,
  files: Files,
  args: readonly string[],
  input = "",
): Promise<Ended> => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return await validate(args, { cwd: folder, input });
  } finally {
    await rm(folder, { recursive: true });
  }
};
