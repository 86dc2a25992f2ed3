import { EVENT_FAULTS, type EventFault } from "./faults.ts";
import type { Sending, Sent } from "./sending.ts";
import { shippedTriggers } from "./shipped-triggers.ts";
import { WIRES, type Wire } from "./wire.ts";

type Some<T> = readonly [T, ...T[]];

type Trigger = Sending & {
  /** Somebody takes what could not be delivered. */
  readonly hasDeadLetter: boolean;
  /** Kinds whose events go to a function; to every one where it is not said. */
  readonly kinds?: ReadonlyMap<string, ReadonlySet<string>>;
};

/** How events come to functions on one platform: what it does, and what may go wrong there. Nothing in it is left to chance but by the seed. */
export type Profile = {
  readonly name: string;
  /** Every time on the way is so many times shorter here, so that ratios stay as they are. A pass and its deadline of 8 s are as long as ever. */
  readonly scale: number;
  readonly wires: Some<Wire>;
  /** `lines`: each event is sent. `key queue`: of a key, one after the other and the last alone, until it is taken. `call queue`: the same, into a queue. */
  readonly way: "lines" | "key queue" | "call queue";
  /** Of `lines`, what may be in flight at once. */
  readonly lines: Some<"one a kind" | "free">;
  readonly sending: Sending;
  /** Where each function runs alone: how its Trigger sends to it, while whoever sent the event waits for all of them. */
  readonly trigger?: Trigger;
  readonly faults: Some<EventFault>;
  /** What may be answered in the function's place, where it is dead, and where its own answer is lost. */
  readonly answers: { readonly gateway: Some<Sent>; readonly dead: Some<Sent>; readonly lost: Some<Sent> };
  /** What is told at the start and after a gap of what happened before. */
  readonly catchesUp: "never a gap" | "nothing" | "every key";
};

const KNATIVE_RETRIES = new Set<Sent>(["network error", 404, 413, 425, 429, 502, 503, 504]);

/** Six sends in 3.1 s, one on a 500. */
const SOURCE: Sending = {
  pausesMs: [100, 200, 400, 800, 1600],
  isRetried: (sent) => KNATIVE_RETRIES.has(sent),
};

const isRetriedByTriggers = (sent: Sent): boolean =>
  sent === "network error" || sent >= 500 || [404, 408, 409, 429].includes(sent);

const ONCE: Sending = { pausesMs: [], isRetried: () => false };

const DIRECT: Profile = {
  name: "direct",
  scale: 20,
  wires: ["as deployed", "reference", "resource"],
  way: "lines",
  lines: ["one a kind"],
  sending: SOURCE,
  faults: ["gap", "gateway", "lost answer", "kill", "dead"],
  answers: {
    gateway: [404, 429, 500, 502, 503, 504, "network error"],
    dead: [502, 503],
    lost: [502, 504, "network error"],
  },
  catchesUp: "nothing",
};

const BROKER: Profile = {
  ...DIRECT,
  name: "broker",
  scale: 200,
  // Eleven sends in 205 s, and the requests' own time.
  trigger: {
    pausesMs: Array.from({ length: 10 }, (_, index) => 200 * 2 ** index),
    isRetried: isRetriedByTriggers,
    hasDeadLetter: false,
  },
  answers: { ...DIRECT.answers, gateway: [404, 408, 429, 500, 502, 503, 504, "network error"] },
};

const OPENFAAS: Profile = {
  name: "openfaas",
  scale: 20,
  wires: ["source"],
  way: "key queue",
  lines: ["free"],
  sending: ONCE,
  faults: ["gap", "gateway", "lost answer", "kill", "dead"],
  answers: {
    // Gateway, provider and watchdog, in front of a function that none of them reaches.
    gateway: [404, 429, 500, 502, 503, "network error"],
    dead: [500, 503],
    // exec_timeout, the provider's time-out, the gateway's; and a gateway that ends: the function runs on.
    lost: [504, 500, 502, "network error"],
  },
  catchesUp: "every key",
};

const ALL = {
  /** Everything that any way may do, and more of it. */
  any: {
    name: "any",
    scale: 20,
    wires: WIRES,
    way: "lines",
    lines: ["one a kind", "free"],
    sending: SOURCE,
    faults: EVENT_FAULTS,
    answers: {
      gateway: [404, 413, 425, 429, 500, 502, 503, 504, "network error"],
      dead: [502, 503],
      lost: [504, "network error"],
    },
    catchesUp: "never a gap",
  },
  /** Knative's ApiServerSource, straight to `reconcile`. */
  direct: DIRECT,
  /** ApiServerSource, Broker and a Trigger a function, with Knative's defaults. */
  broker: BROKER,
  /** The same as our component has it: Triggers of `retry: 2` and `backoffDelay: PT0.5S` for some kinds each, and a dead letter. */
  "broker-dead-letter": {
    ...BROKER,
    name: "broker-dead-letter",
    scale: 20,
    trigger: {
      pausesMs: [500, 1000],
      isRetried: isRetriedByTriggers,
      hasDeadLetter: true,
      kinds: shippedTriggers(),
    },
  },
  /** `source`, through OpenFaaS' gateway and watchdog. */
  openfaas: OPENFAAS,
  /** `source`, if it did not refuse to, through OpenFaaS' queue: it answers 202 and calls once, one call at a time. */
  "openfaas-async": {
    ...OPENFAAS,
    name: "openfaas-async",
    scale: 200,
    way: "call queue",
    faults: ["double", "worker restart", "queue lost", "gap", "gateway", "kill", "dead"],
  },
} satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof ALL;

export const PROFILES: { readonly [P in ProfileName]: Profile } = ALL;
