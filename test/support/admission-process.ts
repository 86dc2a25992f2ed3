import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { dieWithOwner } from "./die-with-owner.ts";
import { Hopeless, waitUntil } from "./cluster/wait-until.ts";

/** mutate, validate or their group as a process, killed when it is disposed of. */
export type AdmissionProcess = {
  readonly port: number;
  /** Everything that it wrote so far. A review's line may come after the review's answer: wait for it. */
  readonly output: () => string;
  /** SIGTERM; resolves with the exit code, null where a signal ended it, once all that it wrote is in `output`. */
  readonly end: () => Promise<number | null>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Starts `functions/<name>` in an environment of PATH and `env` alone, on any free port, and waits until it listens. */
export const startAdmission = async (
  name: "mutate" | "validate" | "admission",
  env: Readonly<Record<string, string>> = {},
): Promise<AdmissionProcess> => {
  const entry = resolve(import.meta.dirname, "../../functions", name, "index.ts");
  const [command, ...args] = dieWithOwner([process.execPath, entry]);
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += String(text);
  });
  const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await closed;
    return child.exitCode;
  };
  const listening = (): Promise<number | undefined> => {
    const port = /"message":"listening","port":(?<port>\d+)/u.exec(output)?.groups?.["port"];
    if (port === undefined && child.exitCode !== null) throw new Hopeless(`${name} ended: ${output}`);
    return Promise.resolve(port === undefined ? undefined : Number(port));
  };
  const port = await waitUntil(listening, { what: `${name} to listen`, timeoutMs: 120_000 });
  return {
    port,
    output: () => output,
    end: () => kill("SIGTERM"),
    [Symbol.asyncDispose]: async () => void (await kill("SIGKILL")),
  };
};
