import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = resolve(import.meta.dirname, "../../..");

/** How a process ended, and all that it wrote. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program to its end. Its standard input is `input`. */
export const run = async (
  [program = "", ...args]: readonly string[],
  options: { readonly cwd?: string; readonly input?: string | Buffer } = {},
): Promise<Ended> => {
  const child = spawn(program, args, { cwd: options.cwd ?? ROOT, stdio: "pipe" });
  const closed = once(child, "close");
  // One that reads nothing may have ended by now.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code: child.exitCode, stdout, stderr };
};

/** Runs a program that has to succeed, and gives what it wrote to standard output. */
export const output = async (command: readonly string[], cwd: string): Promise<string> => {
  const { code, stdout, stderr } = await run(command, { cwd });
  if (code !== 0) throw new Error(`${command.join(" ")}: ${code}: ${stdout}${stderr}`);
  return stdout;
};

/** A checkout of its own to build in, beside the one that others use. */
export type Checkout = { readonly folder: string; readonly [Symbol.asyncDispose]: () => Promise<void> };

export const makeCheckout = async (): Promise<Checkout> => {
  const folder = await mkdtemp(join(tmpdir(), "checkout-"));
  const copied = ["package.json", "README.md", "CHANGELOG.md", "LICENSE", ".npmrc"];
  await Promise.all([
    ...copied.map((name) => copyFile(join(ROOT, name), join(folder, name))),
    ...["functions", "test", "node_modules"].map((name) => symlink(join(ROOT, name), join(folder, name))),
  ]);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};

/** The command as it is built, and a way to run it. */
export type Command = {
  readonly validate: (args: readonly string[], options?: Parameters<typeof run>[1]) => Promise<Ended>;
  readonly file: string;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export const buildCommand = async (): Promise<Command> => {
  const checkout = await makeCheckout();
  await output(["sh", "test/support/build/command.sh"], checkout.folder);
  const file = join(checkout.folder, "dist/bin/sampledb-validate.mjs");
  return {
    validate: (args, options) => run([process.execPath, file, ...args], options),
    file,
    [Symbol.asyncDispose]: () => checkout[Symbol.asyncDispose](),
  };
};
