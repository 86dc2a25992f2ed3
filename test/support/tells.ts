import assert from "node:assert/strict";
import { LABEL } from "../../functions/shared/api/markers.ts";
import type { Condition, SampleDB } from "../../functions/shared/api/sampledb.ts";
import { waitUntil } from "./cluster/wait-until.ts";
import type { Database } from "./database.ts";

// Back-offs of the kubelet, of the StatefulSet controller and of the image pull come on top of a start.
const LONG_MS = 600_000;

type Conditions = Readonly<Record<string, Condition>>;

const conditionsOf = ({ metadata, status }: SampleDB): Conditions => {
  assert.equal(status?.observedGeneration, metadata.generation, "the status is of an older spec");
  const conditions = status?.conditions ?? [];
  for (const { type, observedGeneration } of conditions)
    assert.equal(observedGeneration, metadata.generation, `${type} is of an older spec`);
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition]));
};

const textOf = ({ status, reason }: Condition): string => `${status} ${reason}`;

const untilTold = (db: Database, what: string, isIt: (conditions: Conditions) => boolean) =>
  waitUntil(
    async (): Promise<Conditions> => {
      const conditions = conditionsOf(await db.get());
      if (isIt(conditions)) return conditions;
      const seen = Object.values(conditions).map(
        ({ type, message, ...rest }) => `${type}=${textOf({ type, message, ...rest })}: ${message}`,
      );
      throw new Error(`it has ${seen.join("; ")}`);
    },
    { what: `${db.namespace}/${db.name} to tell ${what}`, timeoutMs: LONG_MS, everyMs: 250 },
  );

/**
 * Waits until the SampleDB is not ready for this reason and says these words, and that it goes on and the user must do nothing (yet), all at
 * the same time: a cause that lasts becomes a stall.
 */
export const untilInTrouble = async (db: Database, reason: string, says: RegExp): Promise<void> => {
  await untilTold(
    db,
    `Ready=False ${reason} ${String(says)}, Reconciling=True, Stalled=False`,
    ({ Ready, Reconciling, Stalled }) =>
      Ready !== undefined &&
      textOf(Ready) === `False ${reason}` &&
      says.test(Ready.message) &&
      [Reconciling?.status, Stalled?.status].join() === "True,False",
  );
};

/**
 * Waits until the SampleDB is not ready for this reason and says that the user must act, as kstatus reads it (failed, not in progress).
 * The words are waited for too: one reason has several, which follow each other as more becomes known. Gives the message.
 */
export const untilStalled = async (db: Database, reason: string, says: RegExp): Promise<string> => {
  const { Ready, Stalled, Reconciling } = await untilTold(
    db,
    `Stalled=True ${reason} ${String(says)}`,
    ({ Stalled: stalled }) =>
      stalled !== undefined && textOf(stalled) === `True ${reason}` && says.test(stalled.message),
  );
  assert.ok(Ready !== undefined && Stalled !== undefined && Reconciling !== undefined);
  assert.equal(textOf(Ready), `False ${reason}`);
  assert.equal(textOf(Reconciling), `False ${reason}`);
  assert.equal(Stalled.message, Ready.message);
  return Ready.message;
};

/** Waits until the SampleDB is ready, nothing is under way and the user must do nothing, as kstatus reads it (current). */
export const untilCurrent = async (db: Database): Promise<void> => {
  await untilTold(
    db,
    "Ready=True and nothing under way",
    ({ Ready, Reconciling, Stalled }) =>
      [Ready?.status, Reconciling?.status, Stalled?.status].join() === "True,False,False",
  );
};

type EventList = { readonly items: readonly { readonly reason: string; readonly count: number }[] };

const isEventList = (value: unknown): value is EventList =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);

const allEventCounts = async (db: Database): Promise<Readonly<Record<string, number>>> => {
  const about = `involvedObject.kind=SampleDB,involvedObject.name=${db.name}`;
  const found: unknown = JSON.parse(
    await db.kubectl("get", "events", "--field-selector", about, "-o", "json"),
  );
  assert.ok(isEventList(found));
  const counts: Record<string, number> = {};
  for (const { reason, count } of found.items) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
};

/**
 * How many Events about the SampleDB there are of each of these reasons, repetitions counted. Waits for the first of each: an Event is
 * written after the status that it tells of.
 */
export const eventCounts = (
  db: Database,
  ...reasons: readonly string[]
): Promise<Readonly<Record<string, number>>> =>
  waitUntil(
    async () => {
      const counts = await allEventCounts(db);
      const missing = reasons.filter((reason) => counts[reason] === undefined);
      if (missing.length > 0) throw new Error(`there is none of ${missing.join(", ")}`);
      return Object.fromEntries(reasons.map((reason) => [reason, counts[reason] ?? 0]));
    },
    { what: `Events of ${db.namespace}/${db.name}`, timeoutMs: LONG_MS, everyMs: 250 },
  );

/** Waits until the SampleDB is ready and nothing is left of what made it so: its init Job goes a moment after Ready. */
export const untilAtRest = async (db: Database): Promise<void> => {
  await untilCurrent(db);
  const left = [
    "get",
    "jobs,pods",
    "-l",
    `${LABEL.database}=${db.name},${LABEL.role}!=primary`,
    "-o",
    "name",
  ];
  await waitUntil(
    async () => {
      const found = await db.kubectl(...left);
      if (found !== "") throw new Error(`there are ${found.trim().split("\n").join(" ")}`);
      return true;
    },
    { what: `the end of ${db.namespace}/${db.name}'s init Job`, timeoutMs: LONG_MS, everyMs: 250 },
  );
};
