/** `npm start`: from nothing to a database that answers, and back to nothing. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { applyFunctions, functionsReady } from "../deploy/deploy.ts";
import { CONDITIONS_PATH, follow, type Outcome } from "./follow.ts";
import { localSession } from "./local-session.ts";
import { namedSession } from "./named-session.ts";
import { parseOptions, type StartOptions, USAGE } from "./options.ts";
import { hostFacts, problemsOf } from "./preflight.ts";
import type { Session } from "./session.ts";
import { type Steps, steps } from "./steps.ts";

const SAMPLE = resolve(import.meta.dirname, "../../../manifests/samples/orders.yaml");
const READY_WITHIN_MS = 300_000;

const write = (text: string): void => {
  process.stdout.write(text);
};

const open = async (options: StartOptions, progress: Steps): Promise<Session> => {
  if (options.cluster !== undefined && options.image !== undefined) {
    return namedSession(progress, options.cluster, options.image);
  }
  const problems = problemsOf(await hostFacts(options.port));
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return localSession(progress);
};

/** The work's result, or an error as soon as the user interrupts: what is under way then ends with the cluster. */
const unlessInterrupted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const interrupted = new Promise<never>((_, reject) => {
    const give = (): void => reject(new Error("interrupted"));
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
  return Promise.race([work, interrupted]);
};

const bringUp = async (session: Session, { step, note }: Steps, signal: AbortSignal): Promise<Outcome> => {
  const deploy = async (): Promise<void> => {
    await applyFunctions(session.kubectl, session.deployment);
    await functionsReady(session.kubectl);
  };
  await step("SampleDB's functions", () => unlessInterrupted(signal, deploy()));
  return step("The sample database, manifests/samples/orders.yaml", async () => {
    await session.kubectl(["apply", "-n", session.namespace, "-f", SAMPLE]);
    const watch = [
      "get",
      "sampledb",
      "orders",
      "-n",
      session.namespace,
      "--watch",
      "-o",
      `jsonpath=${CONDITIONS_PATH}`,
    ];
    return follow(
      { command: [...session.kubectlCommand, ...watch], deadlineMs: READY_WITHIN_MS, signal },
      note,
    );
  });
};

const untilInterrupted = async (session: Session, port: number, signal: AbortSignal): Promise<void> => {
  const n = session.namespace === "default" ? "" : ` -n ${session.namespace}`;
  write(`
The database is Ready. In another terminal:

${session.connectLines.map((line) => `  ${line}\n`).join("")}  kubectl get sdb${n}
  kubectl exec -it orders-1-0${n} -- env PGPASSWORD="$(kubectl get secret orders${n} -o jsonpath='{.data.password}' | base64 -d)" psql -h orders -U app app

and, with a psql of your own, while this runs:

  PGPASSWORD="$(kubectl get secret orders${n} -o jsonpath='{.data.password}' | base64 -d)" psql -h 127.0.0.1 -p ${port} -U app app

Ctrl-C ends it and removes everything that it made.
`);
  const [program = "", ...args] = session.kubectlCommand;
  const forward = [...args, "port-forward", "-n", session.namespace, "service/orders", `${port}:5432`];
  // It ends with the pod that it leads to, and is begun anew for the next one.
  while (!signal.aborted) {
    const child = spawn(program, forward, { stdio: "ignore", signal });
    await new Promise((ended) => child.once("error", ended).once("exit", ended));
    await wait(500, undefined, { signal }).catch(() => undefined);
  }
};

const INTERRUPTED = 130;

/** Aborted by Ctrl-C. A second one does not wait for the clean-up: what is left ends with this process, and the next start sweeps. */
const interruption = (): AbortSignal => {
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(INTERRUPTED);
      write("\nInterrupted: cleaning up. Once more to leave that to the next start.\n");
      interrupt.abort();
    });
  }
  return interrupt.signal;
};

const start = async (options: StartOptions, signal: AbortSignal): Promise<number> => {
  const progress = steps(write);
  const session = await open(options, progress);
  try {
    const outcome = await bringUp(session, progress, signal);
    if (!outcome.isReady) write(`\nThe sample database did not become Ready: ${outcome.reason}\n`);
    if (outcome.isReady && !options.once) await untilInterrupted(session, options.port, signal);
    return outcome.isReady ? 0 : 1;
  } finally {
    await progress.step("Cleaning up", () => session.end());
  }
};

const parsed = parseOptions(process.argv.slice(2), process.env);
if (parsed.kind === "help") write(USAGE);
else if (parsed.kind === "wrong") {
  process.stderr.write(`${parsed.sentence}\n`);
  process.exitCode = 2;
} else {
  const signal = interruption();
  try {
    process.exitCode = await start(parsed.options, signal);
  } catch (error) {
    // Whatever failed after Ctrl-C failed because of it.
    if (!signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = signal.aborted ? INTERRUPTED : 1;
  }
}
