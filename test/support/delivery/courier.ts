import { setTimeout as wait } from "node:timers/promises";
import type { Key } from "../../../functions/shared/api/key.ts";
import { keyOf } from "../../../functions/shared/api/key-of.ts";
import type { Change } from "./change.ts";
import { whole } from "./chance.ts";
import type { EventFault } from "./faults.ts";
import type { Letter, Way } from "./letter.ts";
import { eventFault, instanceOf } from "./plan.ts";
import { type PosterOptions, poster } from "./poster.ts";
import { Ordinals } from "./trace.ts";
import { serially } from "./ways/serial.ts";
import { wayOf } from "./ways/way-of.ts";
import { type WireEvent, isTold, ownEvent, wireEvent } from "./wire-event.ts";

type Held = { readonly letter: Letter; readonly due: number; readonly why: "delay" | "batch" | "replay" };

const BATCH = 6;
/** Changes that a gap hides at most. */
const LONGEST_GAP = 12;

/** `mode` `serial`: one event after the other, to one instance, none lost. */
export type CourierOptions = PosterOptions & {
  readonly namespace: string;
  /** Whether a list shows anything of this SampleDB. */
  readonly exists: (name: string) => boolean;
};

/** Turns changes into events and brings them to the instances, with the faults that the seed decides, each bound to an event's label. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #ordinals = new Ordinals();
  readonly #way: Way;
  readonly #history: Letter[] = [];
  #held: readonly Held[] = [];
  #isFaulty: boolean;
  /** Changes that nobody will see from now on. */
  #unseen: number;

  constructor(options: CourierOptions) {
    const { plan, trace, mode } = options;
    this.#options = options;
    this.#isFaulty = mode === "faulty";
    this.#unseen = this.#isFaulty ? plan.startsAfter : 0;
    const parts = {
      post: poster(options),
      seed: plan.seed,
      pause: (ms: number) => wait(ms / plan.profile.scale),
      say: (line: string) => trace.say(line),
      isFaulty: () => this.#isFaulty,
    };
    this.#way = mode === "serial" ? serially(parts) : wayOf(plan, parts);
  }

  get inFlight(): number {
    return this.#way.pending();
  }

  /** Events about this SampleDB so far. */
  seen(name: string): number {
    return this.#ordinals.of(name);
  }

  take(change: Change): void {
    const { plan, trace } = this.#options;
    const key = keyOf(change.kind, change.thing.metadata);
    if (key === undefined || !isTold(change.kind)) return;
    if (this.#unseen > 0) {
      this.#ordinals.next(key.name);
      trace.say(`unseen ${key.name} ${change.kind} ${change.type}`);
      this.#unseen -= 1;
      if (this.#unseen === 0) this.#catchUp();
      return;
    }
    this.#accept(key, `${change.kind} ${change.type}`, wireEvent(change, key, plan.wire));
  }

  /** A tick of the timer for one SampleDB, which may be lost too. */
  tick(key: Key): void {
    this.#accept(key, "tick", ownEvent(key, "resync.tick"));
  }

  /** Lets go what is held back, but for replays, and ends a gap; whether there was anything. */
  release(): boolean {
    if (this.#unseen > 0) {
      this.#catchUp();
      return true;
    }
    const due = this.#held.filter(({ why }) => why !== "replay");
    this.#held = this.#held.filter(({ why }) => why === "replay");
    for (const { letter } of due) this.#dispatch(letter, undefined);
    return due.length > 0;
  }

  /** From now on every event arrives, once. What is held back arrives now or, where the seed says so, never. */
  calm(): void {
    const { plan, trace } = this.#options;
    this.#isFaulty = false;
    if (this.#unseen > 0) this.#catchUp();
    trace.say(`calm; ${this.#held.length} held events are ${plan.releases ? "released" : "lost"}`);
    if (plan.releases) for (const { letter } of this.#held) this.#dispatch(letter, undefined);
    this.#held = [];
  }

  /** Delivers old events once more: of each SampleDB the first and the last of each sort. */
  replayOld(): void {
    const bySort = Map.groupBy(this.#history, ({ key: { name }, line }) => `${name} ${line}`);
    const letters = [...bySort.values()].flatMap((all) => [all[0], all.at(-1)]);
    for (const letter of letters) if (letter !== undefined) this.#dispatch(letter, undefined);
  }

  #accept(key: Key, sort: string, event: WireEvent): void {
    const { plan, trace } = this.#options;
    const { name } = key;
    this.#ordinals.next(name);
    const count = this.#ordinals.next(`${name} ${sort}`);
    const letter = { label: `${name} ${sort} ${count}`, key, line: sort.split(" ")[0] ?? "", event };
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
    const act: { readonly [F in EventFault]?: () => void } = {
      drop: () => undefined,
      delay: () => this.#hold(letter, "delay", 4 + whole(plan.seed, `${label} delay`, 20)),
      reorder: () => this.#hold(letter, "delay", 1 + whole(plan.seed, `${label} delay`, 2)),
      batch: () => this.#hold(letter, "batch", Number.POSITIVE_INFINITY),
      replay: () => {
        this.#hold(letter, "replay", 10 + whole(plan.seed, `${label} replay`, 50));
        this.#dispatch(letter, fault);
      },
      both: () => {
        this.#way.take(letter, undefined, 0);
        this.#way.take({ ...letter, label: `${label} other` }, undefined, 1);
      },
      double: () => {
        // A queue doubles what it has; anybody else sends it twice.
        if (plan.profile.way !== "call queue")
          this.#dispatch({ ...letter, label: `${label} double` }, undefined);
        this.#dispatch(letter, fault);
      },
      gap: () => this.#beginGap(letter),
    };
    (act[fault] ?? (() => this.#dispatch(letter, fault)))();
  }

  /** Whoever watches ends, with all that it had, and sees neither this change nor so many more. */
  #beginGap({ label }: Letter): void {
    const { plan } = this.#options;
    this.#way.forget();
    this.#unseen = whole(plan.seed, `${label} gap`, LONGEST_GAP);
    if (this.#unseen === 0) this.#catchUp();
  }

  /** Somebody watches again, from now on; who lists first tells of what there is. */
  #catchUp(): void {
    const { plan, namespace, exists, trace } = this.#options;
    this.#unseen = 0;
    trace.say("the watch goes on");
    if (plan.profile.catchesUp !== "every key") return;
    for (const { name } of plan.parts) {
      const key = { namespace, name };
      if (!exists(name)) continue;
      const label = `${name} listed ${this.#ordinals.next(`${name} listed`)}`;
      this.#dispatch({ label, key, line: "listed", event: ownEvent(key, "source.changed") }, undefined);
    }
  }

  #hold(letter: Letter, why: Held["why"], events: number): void {
    this.#held = [...this.#held, { letter, due: this.seen(letter.key.name) + events, why }];
  }

  #releaseDue(): void {
    const batch = this.#held.filter(({ why }) => why === "batch");
    const isDue = ({ letter, due, why }: Held): boolean =>
      due <= this.seen(letter.key.name) || (why === "batch" && batch.length >= BATCH);
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !due.includes(held));
    for (const { letter, why } of due) {
      this.#options.trace.say(`late (${why}) ${letter.label}`);
      // A batch arrives at one moment, whatever line it was in.
      if (why === "batch") this.#way.take(letter, undefined, instanceOf(this.#options.plan, letter.label));
      else this.#dispatch(letter, undefined);
    }
  }

  #dispatch(letter: Letter, fault: EventFault | undefined): void {
    this.#way.take(letter, fault);
  }
}
