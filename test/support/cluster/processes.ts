import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { processId, signalProcess } from "./owner.ts";
import type { Place } from "./place.ts";
import { Hopeless, waitUntil } from "./wait-until.ts";

type Running = { readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<void> };

/** This process's environment without a proxy: addresses of the cluster are near, and nothing else can be reached from there. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(https?|no|all)_proxy$/i.test(name)));

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** The named processes of one cluster; each writes its output to `<folder>/log/<name>.log`. */
export class Processes {
  readonly #folder: string;
  readonly #place: Place;
  readonly #running = new Map<string, Running>();

  constructor(folder: string, place: Place) {
    this.#folder = folder;
    this.#place = place;
  }

  async start(name: string, argv: readonly string[]): Promise<void> {
    if (this.#running.has(name)) throw new Error(`${name} runs already`);
    const log = openSync(join(this.#folder, "log", `${name}.log`), "a");
    const [program = "", ...args] = this.#place.wrap(argv);
    // A session of its own: Ctrl-C in a terminal must reach the owner alone, which then stops things in order.
    const child = spawn(program, args, {
      stdio: ["ignore", log, log],
      detached: true,
      cwd: this.#folder,
      env: environment(),
    });
    closeSync(log);
    const exit = new Promise<void>((resolve) => {
      child.once("exit", () => {
        resolve();
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    const pid = await waitUntil(
      () => {
        if (ended(child)) throw new Hopeless(`${name} ended at once: ${this.logTail(name)}`);
        return Promise.resolve(this.#place.pidOf(child.pid ?? 0));
      },
      { what: `starting ${name}`, timeoutMs: 120_000, everyMs: 10 },
    );
    this.#running.set(name, { child, pid, ended: exit });
    writeFileSync(join(this.#folder, "pids", name), processId(pid));
  }

  /** Throws with the end of its log when the named process has ended by itself. */
  assertRunning(name: string): void {
    const running = this.#running.get(name);
    if (running !== undefined && ended(running.child)) {
      throw new Hopeless(
        `${name} ended by itself (${running.child.exitCode ?? running.child.signalCode}): ${this.logTail(name)}`,
      );
    }
  }

  async stop(name: string, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) throw new Error(`${name} does not run`);
    signalProcess(running.pid, signal);
    await running.ended;
    this.#running.delete(name);
    rmSync(join(this.#folder, "pids", name), { force: true });
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.stop(name, "SIGKILL")));
  }

  logTail(name: string): string {
    return readFileSync(join(this.#folder, "log", `${name}.log`), "utf8")
      .trim()
      .split("\n")
      .slice(-8)
      .join("\n");
  }
}
