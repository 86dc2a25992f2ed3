import { setTimeout as wait } from "node:timers/promises";
import type { Key } from "../../../functions/shared/api/key.ts";
import { keyOf } from "../../../functions/shared/api/key-of.ts";
import type { Change } from "./change.ts";
import { chance, pick, whole } from "./chance.ts";
import type { EventFault } from "./faults.ts";
import type { GateKeeper } from "./gate-keeper.ts";
import type { Instance } from "./instance.ts";
import { type Sent, isRetried, sendLikeKnative } from "./knative-retry.ts";
import { type Plan, eventFault, instanceOf } from "./plan.ts";
import { Ordinals, type Trace } from "./trace.ts";
import { type WireEvent, isTold, ownEvent, wireEvent } from "./wire-event.ts";

export type Instances = readonly [Instance, Instance];

/** An event with what decisions about it are bound to. */
type Letter = {
  readonly label: string;
  readonly name: string;
  /** Kind: events of one kind may have to go one after the other. */
  readonly line: string;
  readonly event: WireEvent;
};

type Held = { readonly letter: Letter; readonly due: number; readonly why: "delay" | "batch" | "replay" };

const GATEWAY: readonly [Sent, ...Sent[]] = [404, 413, 425, 429, 500, 502, 503, 504, "network error"];
const LOST: readonly [Sent, ...Sent[]] = [504, "network error"];
const BATCH = 6;

export type CourierOptions = {
  readonly plan: Plan;
  readonly namespace: string;
  readonly instances: Instances;
  readonly gateKeeper: GateKeeper;
  readonly trace: Trace;
  /** `serial`: one event after the other, to one instance, none lost. */
  readonly mode: "faulty" | "serial";
};

/** Turns changes into events and brings them to the instances, with the faults that the seed decides, each bound to an event's label. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #ordinals = new Ordinals();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #waiting = new Set<string>();
  readonly #history: Letter[] = [];
  #held: readonly Held[] = [];
  #inFlight = 0;
  #isFaulty: boolean;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#isFaulty = options.mode === "faulty";
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Events about this SampleDB so far. */
  seen(name: string): number {
    return this.#ordinals.of(name);
  }

  take(change: Change): void {
    const { plan } = this.#options;
    const key = keyOf(change.kind, change.thing.metadata);
    if (key === undefined || !isTold(change.kind, plan.wire)) return;
    this.#accept(key, `${change.kind} ${change.type}`, wireEvent(change, key, plan.wire));
  }

  /** A tick of the timer for one SampleDB, which may be lost too. */
  tick(key: Key): void {
    this.#accept(key, "tick", ownEvent(key, "resync.tick"));
  }

  /** Lets go what is held back, but for replays; whether there was anything. */
  release(): boolean {
    const due = this.#held.filter(({ why }) => why !== "replay");
    this.#held = this.#held.filter(({ why }) => why === "replay");
    for (const { letter } of due) this.#dispatch(letter, undefined);
    return due.length > 0;
  }

  /** From now on every event arrives, once. What is held back arrives now or, where the seed says so, never. */
  calm(): void {
    const { plan, trace } = this.#options;
    this.#isFaulty = false;
    trace.say(`calm; ${this.#held.length} held events are ${plan.releases ? "released" : "lost"}`);
    if (plan.releases) for (const { letter } of this.#held) this.#dispatch(letter, undefined);
    this.#held = [];
  }

  /** Delivers old events once more: of each SampleDB the first and the last of each sort. */
  replayOld(): void {
    const bySort = Map.groupBy(this.#history, ({ name, line }) => `${name} ${line}`);
    const letters = [...bySort.values()].flatMap((all) => [all[0], all.at(-1)]);
    for (const letter of letters) if (letter !== undefined) this.#dispatch(letter, undefined);
  }

  #accept({ name }: Key, sort: string, event: WireEvent): void {
    const { plan, trace } = this.#options;
    this.#ordinals.next(name);
    const count = this.#ordinals.next(`${name} ${sort}`);
    const letter = { label: `${name} ${sort} ${count}`, name, line: sort.split(" ")[0] ?? "", event };
    this.#history.push(letter);
    const fault = this.#isFaulty ? eventFault(plan, name, sort, count) : undefined;
    trace.say(`event ${letter.label}${fault === undefined ? "" : `: ${fault}`}`);
    if (fault === undefined) this.#dispatch(letter, undefined);
    else this.#mishandle(letter, fault);
    this.#releaseDue();
  }

  #mishandle(letter: Letter, fault: EventFault): void {
    const { trace, plan } = this.#options;
    if (fault !== "kill") trace.count(fault);
    const { label } = letter;
    if (fault === "drop") return;
    if (fault === "delay") return this.#hold(letter, "delay", 4 + whole(plan.seed, `${label} delay`, 20));
    if (fault === "reorder") return this.#hold(letter, "delay", 1 + whole(plan.seed, `${label} delay`, 2));
    if (fault === "batch") return this.#hold(letter, "batch", Number.POSITIVE_INFINITY);
    if (fault === "replay") this.#hold(letter, "replay", 10 + whole(plan.seed, `${label} replay`, 50));
    if (fault === "double") this.#dispatch({ ...letter, label: `${label} double` }, undefined);
    if (fault === "both") {
      const other = { ...letter, label: `${label} other` };
      this.#track(() => this.#send(letter, undefined, 0));
      this.#track(() => this.#send(other, undefined, 1));
      return;
    }
    this.#dispatch(letter, fault);
  }

  #hold(letter: Letter, why: Held["why"], events: number): void {
    this.#held = [...this.#held, { letter, due: this.seen(letter.name) + events, why }];
  }

  #releaseDue(): void {
    const batch = this.#held.filter(({ why }) => why === "batch");
    const isDue = ({ letter, due, why }: Held): boolean =>
      due <= this.seen(letter.name) || (why === "batch" && batch.length >= BATCH);
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !due.includes(held));
    for (const { letter, why } of due) {
      this.#options.trace.say(`late (${why}) ${letter.label}`);
      // A batch arrives at one moment, whatever line it was in.
      if (why === "batch") this.#track(() => this.#send(letter, undefined));
      else this.#dispatch(letter, undefined);
    }
  }

  #dispatch(letter: Letter, fault: EventFault | undefined): void {
    const { plan, mode } = this.#options;
    if (mode === "serial") return this.#queue(letter);
    const line = plan.lines === "free" ? undefined : letter.line;
    const send = (): Promise<void> => this.#send(letter, fault);
    if (line === undefined) return this.#track(send);
    const before = this.#lines.get(line) ?? Promise.resolve();
    this.#track(() => {
      const sending = before.then(send);
      this.#lines.set(line, sending);
      return sending;
    });
  }

  /** One after the other; what happens to a SampleDB while its event waits is covered by that event. */
  #queue(letter: Letter): void {
    const id = letter.name;
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    const before = this.#lines.get("all") ?? Promise.resolve();
    this.#track(() => {
      const sending = before.then(() => {
        this.#waiting.delete(id);
        return this.#send(letter, undefined);
      });
      this.#lines.set("all", sending);
      return sending;
    });
  }

  #track(send: () => Promise<void>): void {
    this.#inFlight += 1;
    void send().finally(() => {
      this.#inFlight -= 1;
    });
  }

  async #send(letter: Letter, fault: EventFault | undefined, to?: 0 | 1): Promise<void> {
    const send = (): Promise<readonly Sent[]> =>
      sendLikeKnative((tries) => this.#try(letter, fault, { tries, to }));
    let answers = await send();
    // Six tries within a twentieth of the time are over before a busy machine has had its turn: without faults nothing is lost.
    while (!this.#isFaulty && isRetried(answers.at(-1) ?? 0)) {
      await wait(500);
      answers = await send();
    }
    this.#options.trace.say(`answer ${letter.label}: ${answers.join(", ")}`);
    // Whatever the faults are: what a source sends is never malformed.
    if (answers.includes(400)) this.#options.trace.refused.push(letter.label);
  }

  async #try(
    letter: Letter,
    fault: EventFault | undefined,
    { tries, to }: { readonly tries: number; readonly to: 0 | 1 | undefined },
  ): Promise<Sent> {
    const { seed } = this.#options.plan;
    const { label, event } = letter;
    const instance = this.#instanceFor(label, tries, to);
    if (fault === "gateway" && tries <= whole(seed, `${label} gateway`, 6)) {
      return pick(seed, `${label} gateway ${tries}`, GATEWAY);
    }
    if (tries === 0) this.#harm(instance, letter, fault);
    if (!instance.isUp && chance(seed, `${label} down ${tries}`) < 0.5) {
      // What stands before a dead function answers for it.
      return pick(seed, `${label} answered ${tries}`, [502, 503]);
    }
    const answer = await instance.send(event);
    return fault === "lost answer" && tries === 0 ? pick(seed, label, LOST) : answer;
  }

  /** Which instance gets a try of a letter: as a Service would, any. */
  #instanceFor(label: string, tries: number, to: 0 | 1 | undefined): Instance {
    const { plan, instances, mode } = this.#options;
    const chosen = mode === "serial" ? 0 : (to ?? instanceOf(plan, `${label} to ${tries}`));
    return instances[chosen];
  }

  #harm(instance: Instance, { name, label }: Letter, fault: EventFault | undefined): void {
    if (fault === "dead") instance.kill();
    if (fault === "kill") this.#options.gateKeeper.setTrap(instance, name, label);
  }
}
