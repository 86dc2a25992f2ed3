import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { freePort } from "./cluster/free-port.ts";
import { waitUntil } from "./cluster/wait-until.ts";

/** mutate, validate or their group as a process, killed when it is disposed of. */
export type AdmissionProcess = {
  readonly port: number;
  /** Everything that it wrote so far. */
  readonly output: () => string;
  /** SIGTERM; resolves with the exit code, null where a signal ended it. */
  readonly end: () => Promise<number | null>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Starts `functions/<name>` in an environment of `env` alone and waits until it listens. */
export const startAdmission = async (
  name: "mutate" | "validate" | "admission",
  env: Readonly<Record<string, string>> = {},
): Promise<AdmissionProcess> => {
  const port = await freePort();
  const entry = resolve(import.meta.dirname, "../../functions", name, "index.ts");
  const child = spawn(process.execPath, [entry], {
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  const isListening = (): Promise<true | undefined> =>
    Promise.resolve(output.includes('"message":"listening"') || undefined);
  await waitUntil(isListening, { what: `${name} to listen`, timeoutMs: 30_000 });
  return {
    port,
    output: () => output,
    end: () => kill("SIGTERM"),
    [Symbol.asyncDispose]: async () => void (await kill("SIGKILL")),
  };
};
