import { setTimeout as wait } from "node:timers/promises";
import { whole } from "./chance.ts";
import type { ProxiedCall, Verdict } from "./api-proxy.ts";
import type { CallFault } from "./faults.ts";
import type { Instance } from "./instance.ts";
import { type Plan, callFault, stalledOf } from "./plan.ts";
import { Ordinals, type Trace } from "./trace.ts";

export type GateKeeperOptions = {
  readonly plan: Plan;
  readonly namespace: string;
  readonly isFaulty: boolean;
  readonly trace: Trace;
  readonly instances: readonly Instance[];
  /** Events about a SampleDB so far. */
  readonly seen: (name: string) => number;
};

/** An instance that is to be killed at the nth write about a SampleDB from now on. */
type Trap = { readonly name: string; readonly when: "before" | "after"; left: number };

const SLOW_MS = 30;
/** An answer is held up no longer than this, should nothing more happen; a pass has 8 s. */
const STALL_MS = 3000;

const VERDICTS: { readonly [F in Exclude<CallFault, "slow">]: Verdict } = {
  unavailable: { do: "answer", status: 503 },
  // A whole second in HTTP; a twentieth of it here, as all times are scaled down.
  overloaded: { do: "answer", status: 429, retryAfter: "0.05" },
  "cut before": { do: "cut", when: "before" },
  "cut after": { do: "cut", when: "after" },
};

/** Stands between the instances and the API server: makes the faults of calls, springs traps, and knows every write. */
export class GateKeeper {
  readonly #plan: Plan;
  readonly #namespace: string;
  readonly #trace: Trace;
  readonly #seen: (name: string) => number;
  /** The instance whose slow answers are overtaken. */
  readonly #stalled: Instance | undefined;
  readonly #ordinals = new Ordinals();
  readonly #traps = new Map<Instance, Trap>();
  /** Every write that was asked for. */
  readonly writes: string[] = [];
  isFaulty: boolean;

  constructor({ plan, namespace, isFaulty, trace, instances, seen }: GateKeeperOptions) {
    this.#plan = plan;
    this.#namespace = namespace;
    this.#trace = trace;
    this.#seen = seen;
    this.isFaulty = isFaulty;
    this.#stalled = instances[stalledOf(plan)];
    for (const instance of instances) instance.judgeWith((call) => this.#judge(instance, call));
  }

  /** Kills the instance at a write about `name` that follows from the label, just before or just after the API server carries it out. */
  setTrap(instance: Instance, name: string, label: string): void {
    const { seed } = this.#plan;
    const when = whole(seed, `${label} when`, 2) === 0 ? "before" : "after";
    // Of a first event the first write, which is sure to come.
    const left = label.endsWith("SampleDB ADDED 0") ? 1 : 1 + whole(seed, `${label} write`, 3);
    this.#traps.set(instance, { name, when, left });
  }

  removeTraps(): void {
    this.#traps.clear();
  }

  #judge(instance: Instance, call: ProxiedCall): Verdict {
    const text = call.path + call.body;
    const part = this.#plan.parts.find(({ name }) => text.includes(name));
    if (part === undefined || !text.includes(this.#namespace)) return { do: "pass" };
    const { name } = part;
    const { method } = call;
    const label = `${method} ${call.path.split("?")[0] ?? ""}`;
    if (method !== "GET") {
      this.writes.push(label);
      this.#trace.say(`  write ${label}`);
    }
    const count = this.#ordinals.next(`${name} ${method}`);
    const sprung = method === "GET" ? undefined : this.#spring(instance, name);
    if (sprung !== undefined) return sprung;
    const fault = this.isFaulty ? callFault(this.#plan, name, method, count) : undefined;
    if (fault === undefined) return { do: "pass" };
    this.#trace.count(fault);
    this.#trace.say(`  call ${name} ${method} ${count}: ${fault}`);
    return fault === "slow" ? this.#slow(instance, name, `${method} ${count}`) : VERDICTS[fault];
  }

  /**
   * A call takes longer. The answer to a write of one of the instances is overtaken by so many events: what its pass goes on from is old by
   * then. Not the write itself: one that is under way for longer than a whole deletion takes makes what nobody wants any more, and no
   * precondition of Kubernetes tells it so.
   */
  #slow(instance: Instance, name: string, call: string): Verdict {
    const { seed } = this.#plan;
    const label = `slow ${name} ${call}`;
    if (instance !== this.#stalled || call.startsWith("GET")) {
      return { do: "pass", when: () => wait(1 + whole(seed, label, SLOW_MS)) };
    }
    const seen = this.#seen(name) + 1 + whole(seed, label, 60);
    const end = performance.now() + STALL_MS;
    return {
      do: "pass",
      after: async () => {
        while (this.#seen(name) < seen && performance.now() < end) await wait(5);
      },
    };
  }

  #spring(instance: Instance, name: string): Verdict | undefined {
    const trap = this.#traps.get(instance);
    if (trap === undefined || trap.name !== name) return undefined;
    trap.left -= 1;
    if (trap.left > 0) return undefined;
    this.#traps.delete(instance);
    this.#trace.count("kill");
    this.#trace.say(`  killed ${trap.when} this write`);
    if (trap.when === "after") return { do: "pass", after: () => instance.kill() };
    instance.kill();
    return { do: "cut", when: "before" };
  }
}
