import { spawn } from "node:child_process";

/** What a command needs beside its arguments. `env` is added to the process's own environment. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const TAIL = 4000;

/**
 * Runs a program to its end and returns what it printed on standard output.
 * Throws an Error with the last lines of both outputs when it cannot be started or does not exit with 0.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, LC_ALL: "C.UTF-8", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-TAIL)));
  const ended = Promise.withResolvers<string>();
  child.once("error", (error) => ended.reject(new Error(`${file} cannot be run: ${error.message}`)));
  child.once("close", (code, signal) => {
    if (code === 0) ended.resolve(output);
    else ended.reject(new Error(failure(file, code ?? signal, output, errors)));
  });
  return ended.promise;
}

function failure(file: string, end: number | string | null, output: string, errors: string): string {
  const said = [errors.trim(), output.slice(-TAIL).trim()].filter((text) => text !== "").join("\n");
  return `${file} ended with ${end ?? "no exit code"}:\n${said}`;
}
