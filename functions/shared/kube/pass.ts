import { setTimeout as wait } from "node:timers/promises";
import type { Catalog } from "../api/catalog.ts";
import type { Key } from "../api/key.ts";
import { inSpan } from "../serve/trace.ts";
import type { Action } from "./action.ts";
import type { Cluster } from "./cluster.ts";
import { deadlineIn } from "./deadline.ts";
import { Fault } from "./fault.ts";
import { newPassword } from "./new-password.ts";
import type { Observed } from "./observed.ts";
import type { ReconcileFunction, RefusedWrite } from "./reconcile-function.ts";
import type { ServesNamespace } from "./serves-namespace.ts";
import { Abandoned, stillWanted } from "./still-wanted.ts";
import { withWritten } from "./with-written.ts";

/** What happened in a pass, for logs and metrics. */
export type PassNote =
  | { readonly note: "wrote"; readonly by: string; readonly action: Action }
  | { readonly note: "refused"; readonly by: string; readonly write: RefusedWrite }
  /** A plan threw: a bug. The other functions go on. */
  | { readonly note: "plan-failed"; readonly by: string; readonly cause: unknown }
  | { readonly note: "cut-short"; readonly outcome: PassOutcome; readonly cause: unknown };

/**
 * `settled`: every function had its turn. `conflict`: others kept changing the same objects, whose own events follow. `abandoned`: the
 * SampleDB was replaced or deleted meanwhile. `not-ours`: another release looks after that namespace. `unreadable`: the API server does not let
 * us read. `overdue`: time ran out, and not because the API server cannot be used: it is something about these objects. None of them is worth a
 * redelivery.
 */
export type PassOutcome = "settled" | "conflict" | "abandoned" | "not-ours" | "unreadable" | "overdue";

export type PassOptions = {
  /** The cluster, whose calls end when the signal says so. */
  readonly clusterUntil: (signal: AbortSignal) => Cluster;
  readonly functions: readonly ReconcileFunction[];
  /** Undefined: every namespace is. */
  readonly serves?: ServesNamespace | undefined;
  readonly catalog: () => Catalog;
  readonly tell: (note: PassNote, key: Key) => void;
};

/** With the second after it, in which the API server is asked for something else, a pass takes 8 s at most. */
const DEADLINE_MS = 7_000;
const ANSWER_MS = 1_000;
const CONFLICT_RETRIES_MS = 100;

const nameOf = (action: Action): string =>
  action.do === "create" || action.do === "apply"
    ? `${action.object.kind} ${action.object.metadata?.name ?? ""}`
    : `${action.ref.kind} ${action.ref.name}`;

/**
 * Whether an action is only for a SampleDB that lives: what makes something, and what keeps a volume, which `retire` may be giving up. That one
 * asks after the volume was read, so that whatever `retire` writes on it comes later and makes the patch a conflict.
 */
const isOfTheLiving = (action: Action): boolean =>
  action.do === "create" ||
  action.do === "apply" ||
  (action.do === "merge" && action.ref.kind === "PersistentVolume");

type Turn = {
  readonly cluster: Cluster;
  /** What was read, and what this pass has written since. */
  observed: Observed;
  /** Objects that were to be made and existed, in this pass or an earlier try of it. */
  readonly existing: Set<string>;
  readonly confirm: () => Promise<void>;
  readonly tell: (note: PassNote) => void;
};

/**
 * The write that a fault refused; throws other faults on. An object that exists although it was to be made is read when the pass
 * observes again, if it is the SampleDB's; if it is in the way once more, it is somebody else's.
 */
const refusedBy = (cause: unknown, by: string, action: Action, existing: Set<string>): RefusedWrite => {
  if (!(cause instanceof Fault)) throw cause;
  const { sort, code, reason, message } = cause;
  const object = nameOf(action);
  if (sort === "refused") return { by, object, code, reason, message };
  if (sort === "conflict" && reason === "AlreadyExists" && existing.has(object)) {
    const way = "delete or rename it, or give the SampleDB another name";
    return { by, object, code, reason, message: `it exists already and is not this SampleDB's: ${way}` };
  }
  if (reason === "AlreadyExists") existing.add(object);
  throw cause;
};

/** Carries out one function's plan up to the first refused write, which is returned. Other faults are thrown. */
const carryOutPlan = async (
  turn: Turn,
  by: string,
  plan: readonly Action[],
): Promise<RefusedWrite | undefined> => {
  const { cluster, confirm, tell, existing } = turn;
  for (const action of plan) {
    try {
      if (isOfTheLiving(action)) await confirm();
      const written = await cluster.carryOut(action, `sampledb-${by}`);
      if (written !== undefined) turn.observed = withWritten(turn.observed, written);
      tell({ note: "wrote", by, action });
    } catch (cause) {
      const write = refusedBy(cause, by, action, existing);
      tell({ note: "refused", by, write });
      return write;
    }
  }
  return undefined;
};

const planOf = (
  { name, plan }: ReconcileFunction,
  observed: Observed,
  context: { readonly catalog: Catalog; readonly refused: readonly RefusedWrite[] },
  tell: (note: PassNote) => void,
): readonly Action[] => {
  try {
    return plan(observed, { ...context, now: new Date(), newPassword });
  } catch (cause) {
    tell({ note: "plan-failed", by: name, cause });
    return [];
  }
};

/** One function's turn, in spans: its plan, and carrying it out where there is something to do. */
const tracedTurn = async (
  turn: Turn,
  by: string,
  planned: () => readonly Action[],
): Promise<RefusedWrite | undefined> => {
  const plan = await inSpan({ name: `plan ${by}` }, (span) => {
    const actions = planned();
    span.set({ "sampledb.actions": actions.length });
    return Promise.resolve(actions);
  });
  if (plan.length === 0) return undefined;
  return inSpan({ name: `carry out ${by}` }, async (span) => {
    const refused = await carryOutPlan(turn, by, plan);
    if (refused !== undefined) span.fail("refused");
    return refused;
  });
};

const passOnce = async (
  options: PassOptions,
  key: Key,
  signal: AbortSignal,
  existing: Set<string>,
): Promise<PassOutcome> => {
  if (options.serves !== undefined && !(await options.serves(key.namespace, signal))) return "not-ours";
  const cluster = options.clusterUntil(signal);
  const tell = (note: PassNote): void => options.tell(note, key);
  const reads = new Set(options.functions.flatMap((each) => each.reads));
  const readsIfGone = new Set(options.functions.flatMap((each) => each.readsIfGone ?? []));
  const observed = await inSpan({ name: "observe" }, () => cluster.observe(key, reads, readsIfGone));
  const turn: Turn = { cluster, tell, existing, observed, confirm: stillWanted(cluster, observed) };
  const catalog = options.catalog();
  const refused: RefusedWrite[] = [];
  for (const each of options.functions) {
    const write = await tracedTurn(turn, each.name, () =>
      planOf(each, turn.observed, { catalog, refused: [...refused] }, tell),
    );
    if (write !== undefined) refused.push(write);
  }
  return "settled";
};

const isConflict = (cause: unknown): boolean => cause instanceof Fault && cause.sort === "conflict";

/** Whether the API server, with its store, answers when it is asked for another SampleDB, which need not exist. */
const answersForOthers = async ({ clusterUntil }: PassOptions, { namespace }: Key): Promise<boolean> => {
  try {
    await clusterUntil(deadlineIn(ANSWER_MS)).sampledb({ namespace, name: "another" });
    return true;
  } catch (cause) {
    return cause instanceof Fault && cause.sort !== "unavailable";
  }
};

type Ending = { readonly options: PassOptions; readonly key: Key; readonly signal: AbortSignal };

const outcomeOf = async (cause: unknown, { options, key, signal }: Ending): Promise<PassOutcome> => {
  if (cause instanceof Abandoned) return "abandoned";
  if (isConflict(cause)) return "conflict";
  if (cause instanceof Fault && cause.sort === "refused") return "unreadable";
  // A redelivery would take as long again, and others wait behind it.
  if (cause instanceof Fault && signal.aborted && (await answersForOthers(options, key))) return "overdue";
  throw cause;
};

/**
 * One pass for one key: observes once what all functions read, then plans and carries out each function in order, on what was read and
 * what those before it wrote. Throws a
 * Fault of sort `unavailable` when the API server cannot be used; everything else is an outcome.
 */
export const pass = async (options: PassOptions, key: Key): Promise<PassOutcome> => {
  const signal = deadlineIn(DEADLINE_MS);
  const existing = new Set<string>();
  let firstConflict: number | undefined;
  for (;;) {
    try {
      return await passOnce(options, key, signal, existing);
    } catch (cause) {
      firstConflict ??= performance.now();
      if (!isConflict(cause) || performance.now() - firstConflict > CONFLICT_RETRIES_MS) {
        const outcome = await outcomeOf(cause, { options, key, signal });
        options.tell({ note: "cut-short", outcome, cause }, key);
        return outcome;
      }
      // Two passes that collided must not do so in step again.
      await wait(5 + Math.random() * 25);
    }
  }
};
