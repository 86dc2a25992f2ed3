import { wordsOf } from "../shared/failure.ts";
import { ProgramFailed } from "../shared/run.ts";
import type { Tools } from "../shared/tools.ts";
import type { FaasCli } from "../prerequisites/seen.ts";

const complaintOf = (error: unknown): string =>
  error instanceof ProgramFailed ? error.complaint : wordsOf(error);

/** Asks faas-cli, where there is one, what its gateway runs. */
export const lookAtFaasCli = async (run: Tools["run"]): Promise<FaasCli> => {
  const version = await run(["faas-cli", "version", "--short-version"]).catch(() => undefined);
  if (version === undefined) return { version, functions: undefined, complaint: "" };
  try {
    const list = await run(["faas-cli", "list", "--quiet"]);
    const functions = list
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    return { version: version.trim(), functions, complaint: "" };
  } catch (error) {
    return { version: version.trim(), functions: undefined, complaint: complaintOf(error) };
  }
};
