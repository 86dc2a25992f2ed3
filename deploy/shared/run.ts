import { spawn } from "node:child_process";

type RunOptions = {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program. */
  readonly signal?: AbortSignal;
};

/** A program that ended badly, or could not be started at all (`code` is then ENOENT or the like). */
export class ProgramFailed extends Error {
  readonly stdout: string;
  /** The last lines that it wrote to stderr. */
  readonly complaint: string;
  readonly code: number | string;

  constructor(argv: readonly string[], code: number | string, said: { stdout: string; complaint: string }) {
    super(`${argv.join(" ").slice(0, 300)} failed (${code}): ${said.complaint}`);
    this.code = code;
    this.stdout = said.stdout;
    this.complaint = said.complaint;
  }
}

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : error.message);

/** Runs a program to its end and gives its stdout; throws ProgramFailed, with its last stderr lines, when it fails. */
export const run = async (argv: readonly string[], options: RunOptions = {}): Promise<string> => {
  const [program = "", ...args] = argv;
  const { cwd, signal, env = process.env } = options;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: "pipe",
    ...(signal === undefined ? {} : { signal }),
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // A program that ends without reading its input is judged by its exit code, not by the broken pipe.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const code = await new Promise<number | string>((resolve) => {
    child.on("error", (error) => resolve(codeOf(error)));
    child.on("close", (exit, by) => resolve(exit ?? by ?? 1));
  });
  const stdout = Buffer.concat(out).toString();
  if (code === 0) return stdout;
  const complaint = Buffer.concat(err).toString().trim().split("\n").slice(-20).join("\n");
  throw new ProgramFailed(argv, code, { stdout, complaint: complaint || String(code) });
};
