import { setTimeout as wait } from "node:timers/promises";
import type { Change } from "./change.ts";
import { Courier } from "./courier.ts";
import { differences } from "./differences.ts";
import { endState } from "./end-state.ts";
import { notYet } from "./ends.ts";
import { GateKeeper } from "./gate-keeper.ts";
import { Kubelet } from "./kubelet.ts";
import { pathsOf } from "./paths-of.ts";
import { Picture } from "./picture.ts";
import type { Part } from "./plan.ts";
import { Rules } from "./rules.ts";
import { Script } from "./script.ts";
import type { Result, SimulationOptions } from "./simulation-options.ts";
import { sweepTo } from "./sweep-to.ts";
import { Trace } from "./trace.ts";
import { User } from "./user.ts";

/** Nothing happened for so long: nothing is on its way. Controllers may still have something in mind; nothing relies on that. */
const QUIET_MS = 120;
/** Ticks come once a minute; scaled down like every time. */
const TICK_MS = 700;
/** A bound on waiting, for a machine that is slow and busy. */
const LIMIT_MS = 900_000;
/** So long after the one tick nothing more is to be expected, and another tick tells whether it would have helped. */
const STUCK_MS = 30_000;

/** One run of a plan in a namespace of its own. */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #picture = new Picture();
  readonly #rules = new Rules();
  readonly #trace = new Trace();
  readonly #kubelet: Kubelet;
  readonly #gateKeeper: GateKeeper;
  readonly #courier: Courier;
  readonly #script: Script;
  readonly #broken: string[] = [];
  #changedAt = 0;
  #controllersChanges = 0;

  constructor(options: SimulationOptions) {
    const { stage, plan, namespace, mode } = options;
    this.#options = options;
    this.#kubelet = new Kubelet(stage.api, namespace);
    const common = { plan, namespace, instances: stage.instances, trace: this.#trace };
    this.#gateKeeper = new GateKeeper({
      ...common,
      isFaulty: mode === "faulty",
      seen: (name) => this.#courier.seen(name),
    });
    const exists = (name: string): boolean => this.#picture.shows(name);
    this.#courier = new Courier({ ...common, gateKeeper: this.#gateKeeper, mode, exists });
    this.#script = new Script({
      user: new User(stage.api, namespace),
      parts: plan.parts,
      picture: this.#picture,
      rules: this.#rules,
      say: (line) => this.#trace.say(line),
      seen: (name) => this.#courier.seen(name),
    });
  }

  async run(): Promise<Result> {
    const { stage, namespace } = this.#options;
    stage.feed.listen(namespace, (change) => this.#take(change));
    try {
      await this.#script.settle();
      await this.#act();
      await this.#calm();
      await this.#prove();
    } catch (cause) {
      this.#broken.push(cause instanceof Error ? cause.message : String(cause));
    } finally {
      stage.feed.forget(namespace);
    }
    const wrong = this.#trace.refused.map((label) => `answered ${label}`);
    const complaints = stage.instances.flatMap((instance) => instance.takeComplaints());
    return {
      broken: [...this.#broken, ...this.#rules.broken, ...this.#kubelet.failures, ...wrong, ...complaints],
      ends: new Map(this.#options.plan.parts.map(({ name }) => [name, this.#endOf(name)])),
      trace: this.#trace.lines,
      tally: this.#trace.tally,
    };
  }

  #take(change: Change): void {
    this.#changedAt = performance.now();
    if (["Pod", "StatefulSet", "Job", "PersistentVolume"].includes(change.kind))
      this.#controllersChanges += 1;
    this.#picture.take(change);
    this.#rules.take(change);
    this.#kubelet.take(change);
    this.#courier.take(change);
  }

  get #isSilent(): boolean {
    return performance.now() - this.#changedAt > QUIET_MS;
  }

  get #isQuiet(): boolean {
    const { instances } = this.#options.stage;
    return (
      this.#courier.inFlight === 0 &&
      !this.#kubelet.isBusy &&
      instances.every(({ callsInFlight }) => callsInFlight === 0) &&
      this.#isSilent
    );
  }

  /** Asks until the answer is true. */
  async #until(what: () => string, ask: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + LIMIT_MS;
    while (!(await ask())) {
      if (performance.now() > end) throw new Error(`${what()}, after ${LIMIT_MS / 1000} s`);
      await wait(20);
    }
  }

  /** The stories, and what follows from them, while the faults go on. */
  async #act(): Promise<void> {
    let tickedAt = performance.now();
    let ticksAfterwards = 0;
    await this.#until(
      () => `the user still waits: ${this.#script.awaited()}`,
      async () => {
        const isSerial = this.#options.mode === "serial";
        // What is stuck somewhere holds up neither users nor timers.
        const isQuiet = isSerial ? this.#isQuiet : this.#isSilent;
        const hasActed = await this.#script.advance({ isQuiet, isSerial });
        if (hasActed || !isQuiet || this.#courier.release()) return false;
        // A timer's tick after the last step goes through the faults too.
        if (this.#script.isDone && ticksAfterwards > 0) return this.#isQuiet;
        if (performance.now() - tickedAt < TICK_MS) return false;
        tickedAt = performance.now();
        if (this.#script.isDone) ticksAfterwards += 1;
        this.#tickAll();
        return false;
      },
    );
  }

  #tickAll(): void {
    const { plan, namespace } = this.#options;
    for (const { name } of plan.parts) this.#courier.tick({ namespace, name });
  }

  /** The faults end: one tick over all keys, and the events that follow, bring everything to its end. */
  async #calm(): Promise<void> {
    this.#gateKeeper.isFaulty = false;
    this.#gateKeeper.removeTraps();
    this.#courier.calm();
    await this.#untilQuiet();
    const { instances } = this.#options.stage;
    const overdue = (): number => instances.reduce((sum, each) => sum + each.overdue, 0);
    let overdueBefore = overdue();
    let tickedAt = performance.now();
    let ticks = 1;
    await this.#tick(0);
    await this.#until(
      () => `it does not end as it should: ${this.#missing().join("; ")}`,
      async () => {
        if (this.#missing().length === 0) return true;
        const silence = performance.now() - Math.max(this.#changedAt, tickedAt);
        if (silence < STUCK_MS) return false;
        if (ticks === 3) throw new Error(`it does not end as it should: ${this.#missing().join("; ")}`);
        // What a busy machine did not get done in its time is left to the next tick, as in life.
        if (overdue() === overdueBefore) {
          this.#broken.push(`after tick ${ticks}: ${this.#missing().join("; ")}`);
          ticks += 1;
        }
        overdueBefore = overdue();
        tickedAt = performance.now();
        await this.#tick(0);
        return false;
      },
    );
  }

  /** At the fixed point nothing causes a write: neither ticks over all keys, nor any old event, through either instance. */
  async #prove(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.#untilQuiet();
      const writes = this.#gateKeeper.writes.length;
      const changes = this.#controllersChanges;
      if (this.#options.mode === "faulty") this.#courier.replayOld();
      await this.#tick(0);
      if (this.#options.mode === "faulty") await this.#tick(1);
      await this.#untilQuiet();
      const more = this.#gateKeeper.writes.slice(writes);
      const missing = this.#missing();
      if (more.length === 0 && missing.length === 0) return;
      // What a controller did meanwhile may be news.
      const isExcused = changes !== this.#controllersChanges || this.#options.mode === "serial";
      if (!isExcused || tries === 5) {
        this.#broken.push(...missing, `written at the fixed point: ${more.join(", ") || "nothing"}`);
        return;
      }
      this.#trace.say(`once more: ${more.join(", ")}; ${missing.join("; ")}`);
      await this.#until(
        () => missing.join("; "),
        () => this.#missing().length === 0,
      );
    }
  }

  #untilQuiet(): Promise<void> {
    const { instances } = this.#options.stage;
    return this.#until(
      () => "it does not come to rest",
      () => this.#isQuiet && instances.every(({ isUp }) => isUp),
    );
  }

  /** One sweep of the real resync, one key at a time, to one instance. */
  async #tick(to: 0 | 1): Promise<void> {
    const { stage, namespace, plan, mode } = this.#options;
    const paths = mode === "serial" ? ["/"] : pathsOf(plan.profile);
    const sweep = { instance: stage.instances[to], paths, api: stage.api, namespace };
    this.#trace.say(`sweep to ${to}`);
    // Without faults only a machine that is too busy does not take a key, in the few seconds that a sweep gives it; the next tick would.
    for (let tries = 0; (await sweepTo(sweep)) > 0; tries += 1) {
      if (tries === 10) throw new Error("keys of a sweep were not taken");
    }
  }

  #endOf(name: string): string {
    const { namespace } = this.#options;
    const children = this.#picture.childrenOf(name).filter(({ kind }) => kind !== "Pod");
    return endState(this.#picture.get("SampleDB", name), children, { namespace, name });
  }

  #missing(): readonly string[] {
    return this.#options.plan.parts.flatMap((part) => this.#missingOf(part));
  }

  #missingOf({ name, story }: Part): readonly string[] {
    const why = notYet(story, this.#picture, name);
    if (why !== undefined) return [`${name}: ${why}`];
    const expected = this.#options.expected?.get(name);
    const found = this.#endOf(name);
    return expected === undefined || expected === found
      ? []
      : [`${name}: ends otherwise than delivered serially:\n${differences(expected, found)}`];
  }
}
