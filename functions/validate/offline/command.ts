#!/usr/bin/env node
/** `sampledb-validate`: the rules of admission on files, without a cluster. */
import manifest from "../../../package.json" with { type: "json" };
import { type Outcome, validateFiles } from "./validate-files.ts";

const outcome = async (): Promise<Outcome> => {
  try {
    return await validateFiles(process.argv.slice(2), process.stdin, manifest.version);
  } catch (cause) {
    // A fault of the command is no verdict on a file.
    return { code: 2, stdout: "", stderr: `${cause instanceof Error ? cause.stack : String(cause)}\n` };
  }
};

const { code, stdout, stderr } = await outcome();
process.exitCode = code;
// Whoever reads may have read enough, as `head` does.
const ignoreClosed = (cause: NodeJS.ErrnoException): void => {
  if (cause.code !== "EPIPE") throw cause;
};
process.stdout.on("error", ignoreClosed);
process.stderr.on("error", ignoreClosed);
process.stdout.write(stdout);
process.stderr.write(stderr);
