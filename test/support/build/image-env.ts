import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

const DOCKERFILE = resolve(import.meta.dirname, "../../../functions/Dockerfile");

/** The environment that a Dockerfile sets (`ENV a=b c="d e"`, on one line each). */
export const envIn = (dockerfile: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...dockerfile.matchAll(/^ENV (.+)$/gmu)]
      .flatMap(([, line = ""]) => Array.from(line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/gu)))
      .map(([, name = "", quoted, bare = ""]) => [name, quoted ?? bare]),
  );

/** The environment that the functions' image sets. */
export const imageEnv = async (): Promise<Readonly<Record<string, string>>> =>
  envIn(await readFile(DOCKERFILE, "utf8"));
