import { spawn } from "node:child_process";

type RunOptions = { readonly input?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

/** Runs a program to its end and gives its stdout; throws with its last stderr lines when it fails. */
export const run = async (argv: readonly string[], options: RunOptions = {}): Promise<string> => {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: "pipe" });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // A program that ends without reading its input is judged by its exit code, not by the broken pipe.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit, signal) => {
      resolve(exit ?? signal ?? 1);
    });
  });
  if (code === 0) return Buffer.concat(out).toString();
  const reason = Buffer.concat(err).toString().trim().split("\n").slice(-20).join("\n");
  throw new Error(`${argv.join(" ").slice(0, 300)} failed (${code}): ${reason}`);
};
