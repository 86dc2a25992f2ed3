import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadAccess } from "../../../functions/shared/kube/access.ts";
import { type FunctionProcess, startProgram } from "../function-process.ts";
import { type ApiProxy, type ProxiedCall, type Verdict, apiProxy } from "./api-proxy.ts";
import type { Sent } from "./sending.ts";
import type { WireEvent } from "./wire-event.ts";

const kubeconfigFor = (server: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "proxy", cluster: { server } }],
    users: [{ name: "function", user: {} }],
    contexts: [{ name: "proxy", context: { cluster: "proxy", user: "function" } }],
    "current-context": "proxy",
  });

/** Longer than a pass with its deadline, its turn among others and a busy machine take. */
const ANSWER_MS = 60_000;

/** What a process wrote that it must not write: bugs, and anything on stderr; past so many lines and characters of each. */
const complaintsOf = ({ logs, stderr }: FunctionProcess, past: Heard): readonly string[] => {
  const text = stderr().slice(past.characters);
  const errors = logs.slice(past.lines).filter(({ level }) => level === "error");
  return [...errors.map((entry) => JSON.stringify(entry)), ...(text === "" ? [] : [text])];
};

const overdueIn = ({ logs }: FunctionProcess): number =>
  logs.filter(({ outcome }) => outcome === "overdue").length;

type Heard = { readonly lines: number; readonly characters: number };
const NOTHING: Heard = { lines: 0, characters: 0 };

type Place = {
  readonly folder: string;
  readonly proxy: ApiProxy;
  readonly spawn: () => FunctionProcess;
};

/** A real process of `reconcile` that can be killed and is then started again, and all of its calls to the API server. */
export class Instance {
  readonly #folder: string;
  readonly #proxy: ApiProxy;
  readonly #spawn: () => FunctionProcess;
  #process: FunctionProcess;
  #url: string;
  #starting: Promise<void> | undefined;
  #complaints: readonly string[] = [];
  #heard = NOTHING;
  #overdueBefore = 0;

  private constructor({ folder, proxy, spawn }: Place, first: FunctionProcess, url: string) {
    this.#folder = folder;
    this.#proxy = proxy;
    this.#spawn = spawn;
    this.#process = first;
    this.#url = url;
  }

  /** `program`: the file of `reconcile` that is started. */
  static async start(readAccess: ReadAccess, program: string): Promise<Instance> {
    const folder = await mkdtemp(join(tmpdir(), "sampledb-instance-"));
    const proxy = await apiProxy(readAccess);
    await writeFile(join(folder, "kubeconfig"), kubeconfigFor(proxy.url));
    const spawn = (): FunctionProcess => startProgram(program, { KUBECONFIG: join(folder, "kubeconfig") });
    const first = spawn();
    return new Instance({ folder, proxy, spawn }, first, await first.url());
  }

  judgeWith(judge: (call: ProxiedCall) => Verdict): void {
    this.#proxy.judge = judge;
  }

  get callsInFlight(): number {
    return this.#proxy.inFlight();
  }

  get isUp(): boolean {
    return this.#starting === undefined;
  }

  /** Ends it at once, and starts it again. Until then connections to it are refused. */
  kill(): void {
    if (this.#starting !== undefined) return;
    this.#process.kill("SIGKILL");
    this.#starting = this.#startAgain().finally(() => {
      this.#starting = undefined;
    });
  }

  async #startAgain(): Promise<void> {
    await this.#process.ended;
    this.#complaints = [...this.#complaints, ...complaintsOf(this.#process, this.#heard)];
    this.#overdueBefore += overdueIn(this.#process);
    this.#heard = NOTHING;
    this.#process = this.#spawn();
    this.#url = await this.#process.url();
  }

  /** Posts an event, to one function where `path` says so, and gives the answer: 502 where it has a body, which a Broker makes of it. */
  async send({ headers, body }: WireEvent, path = "/"): Promise<Sent> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      // fetch would give an empty text a content type.
      const content = body === "" ? {} : { body };
      const answer = await fetch(this.#url + path, { method: "POST", headers, ...content, signal });
      const { byteLength } = await answer.arrayBuffer();
      return answer.ok && byteLength > 0 ? 502 : answer.status;
    } catch {
      return "network error";
    }
  }

  /** Lines so far that say that a pass's time ran out: without faults only on a machine that is too busy. */
  get overdue(): number {
    return this.#overdueBefore + overdueIn(this.#process);
  }

  /** What it complained of since it was last asked. */
  takeComplaints(): readonly string[] {
    const all = [...this.#complaints, ...complaintsOf(this.#process, this.#heard)];
    this.#complaints = [];
    const { logs, stderr } = this.#process;
    this.#heard = { lines: logs.length, characters: stderr().length };
    return all;
  }

  async stop(): Promise<void> {
    await this.#starting;
    await this.#process[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export type Instances = readonly [Instance, Instance];
