import { chance, pick, whole } from "./chance.ts";
import { CALL_FAULTS, type CallFault, type EventFault, type Fault } from "./faults.ts";
import { PROFILES, type Profile } from "./profiles.ts";
import { SCENARIOS, type Scenario, storyOf } from "./stories.ts";
import type { Story } from "./story.ts";
import type { Wire } from "./wire.ts";

/** A SampleDB of a seed, what happens to it, and when: each step comes so many events of its own after the one before. */
export type Part = {
  readonly name: string;
  readonly scenario: Scenario;
  readonly story: Story;
  readonly moments: readonly number[];
};

/** Everything that follows from a seed before anything has happened. */
export type Plan = {
  readonly seed: number;
  readonly profile: Profile;
  readonly wire: Wire;
  /** Knative's source sends one event of a kind after the other; others send what they have. */
  readonly lines: "one a kind" | "free";
  readonly parts: readonly Part[];
  /** Faults that this seed is about: they befall the first event (or write) of the first two SampleDBs for certain, and others often. */
  readonly themes: readonly [Fault, Fault];
  /** How often an event meets a fault that is no theme. */
  readonly roughness: number;
  /** Whether events that are held back when the faults end are still delivered. */
  readonly releases: boolean;
  /** So many changes happen before anybody watches. */
  readonly startsAfter: number;
};

// None is part of another, nor of anything else that is written in the objects.
const NAMES = ["orders", "billing", "ledger", "tickets"] as const;

const nth = <T>(list: readonly [T, ...T[]], index: number): T => list[index % list.length] ?? list[0];

const scenariosOf = (seed: number): readonly Scenario[] => {
  const first = nth(SCENARIOS, seed);
  if (first === "load") return NAMES.slice(0, 4).map(() => first);
  return [first, pick(seed, "second", SCENARIOS)];
};

const partOf = (seed: number, scenario: Scenario, index: number): Part => {
  const name = nth(NAMES, index);
  const story = storyOf(seed, scenario, name);
  const moments = story.steps.map((_, step) => whole(seed, `moment ${name} ${step}`, step === 0 ? 3 : 12));
  return { name, scenario, story, moments };
};

/** Every fault of a way. */
export const faultsOf = ({ faults }: Profile): readonly [Fault, ...Fault[]] => [...faults, ...CALL_FAULTS];

const themesOf = (seed: number, profile: Profile): Plan["themes"] => {
  const faults = faultsOf(profile);
  return [nth(faults, seed), nth(faults, seed + Math.floor(faults.length / 2))];
};

export const planOf = (seed: number, profile: Profile = PROFILES.any): Plan => ({
  seed,
  profile,
  wire: pick(seed, "wire", profile.wires),
  lines: pick(seed, "lines", profile.lines),
  parts: scenariosOf(seed).map((scenario, index) => partOf(seed, scenario, index)),
  themes: themesOf(seed, profile),
  roughness: pick(seed, "roughness", [0.1, 0.3, 0.5]),
  releases: chance(seed, "releases") < 0.5,
  startsAfter: profile.catchesUp === "never a gap" ? 0 : pick(seed, "starts after", [0, 0, 2, 12]),
});

/** How often an event, or a call, meets a fault that is a theme of the seed. */
const THEME_SHARE = 0.15;
const READ_THEME_SHARE = 0.04;
const WRITE_THEME_SHARE = 0.2;
/** A pass that is stuck in the middle while others go on is what races are made of. */
const SLOW_WRITE_SHARE = 0.35;
/** How often a call meets one that is none. */
const CALL_SHARE = 0.01;
/** A process takes long to start, and what befalls many events at once is enough now and then: these come seldom. */
const SELDOM: ReadonlySet<Fault> = new Set(["kill", "dead", "gap", "worker restart", "queue lost"]);
const SELDOM_SHARE = 0.03;

/** Faults that are no theme, as often as they come. */
const commonOf = ({ faults }: Profile): readonly [EventFault, ...EventFault[]] => {
  const seldom = faults.filter((fault) => SELDOM.has(fault));
  const often = faults.filter((fault) => !SELDOM.has(fault));
  const [first = faults[0], ...rest] = [
    ...seldom,
    ...often.flatMap((fault) => Array<EventFault>(4).fill(fault)),
  ];
  return [first, ...rest];
};

const isCallFault = (fault: Fault): fault is CallFault => CALL_FAULTS.some((each) => each === fault);
const isEventFault = (fault: Fault): fault is EventFault => !isCallFault(fault);

type Draw<F> = {
  readonly label: string;
  readonly themes: readonly { readonly fault: F; readonly share: number }[];
  /** The others, and how often one of them comes. */
  readonly others: readonly [F, ...F[]];
  readonly share: number;
};

const drawn = <F extends Fault>(seed: number, { label, themes, others, share }: Draw<F>): F | undefined => {
  let at = chance(seed, label);
  for (const theme of themes) {
    if (at < theme.share) return theme.fault;
    at -= theme.share;
  }
  return at < share ? pick(seed, `${label} which`, others) : undefined;
};

/** The theme that befalls the first of its sort of the SampleDB at this place. */
const certain = (plan: Plan, name: string): Fault | undefined =>
  plan.themes[plan.parts.slice(0, 2).findIndex((part) => part.name === name)];

const shareOf = (fault: Fault): number => (SELDOM.has(fault) ? SELDOM_SHARE : THEME_SHARE);

/** The fault that the nth event of this kind and type of a SampleDB meets. */
export const eventFault = (plan: Plan, name: string, sort: string, count: number): EventFault | undefined => {
  const sure = certain(plan, name);
  if (count === 0 && sort === "SampleDB ADDED" && sure !== undefined && isEventFault(sure)) return sure;
  return drawn(plan.seed, {
    label: `event ${name} ${sort} ${count}`,
    themes: plan.themes.filter(isEventFault).map((fault) => ({ fault, share: shareOf(fault) })),
    others: commonOf(plan.profile),
    share: plan.roughness,
  });
};

const callShareOf = (fault: CallFault, method: string): number => {
  if (method === "GET") return READ_THEME_SHARE;
  return fault === "slow" ? SLOW_WRITE_SHARE : WRITE_THEME_SHARE;
};

/**
 * Which instance gets a try of a letter: as behind a Service any, but where calls are slow more often the one whose answers are not overtaken
 * (`stalledOf` is the other).
 */
export const instanceOf = (plan: Plan, label: string): 0 | 1 => {
  const toStalled = chance(plan.seed, label) < (plan.themes.includes("slow") ? 0.25 : 0.5);
  const stalled = stalledOf(plan);
  return toStalled ? stalled : stalled === 0 ? 1 : 0;
};

/** The instance whose slow answers are overtaken by other events. */
export const stalledOf = (plan: Plan): 0 | 1 => (chance(plan.seed, "stalled") < 0.5 ? 0 : 1);

/** The fault that the nth call of this method about a SampleDB meets. */
export const callFault = (plan: Plan, name: string, method: string, count: number): CallFault | undefined => {
  const sure = certain(plan, name);
  if (count === 0 && method === "PATCH" && sure !== undefined && isCallFault(sure)) return sure;
  return drawn(plan.seed, {
    label: `call ${name} ${method} ${count}`,
    themes: plan.themes.filter(isCallFault).map((fault) => ({ fault, share: callShareOf(fault, method) })),
    others: CALL_FAULTS,
    share: CALL_SHARE,
  });
};
