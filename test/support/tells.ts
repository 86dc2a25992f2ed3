import assert from "node:assert/strict";
import type { Condition, SampleDB } from "../../functions/shared/api/sampledb.ts";
import { waitUntil } from "./cluster/wait-until.ts";
import type { Database } from "./database.ts";

// Back-offs of the kubelet, of the StatefulSet controller and of the image pull come on top of a start.
const LONG_MS = 180_000;

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

/** How many Events about the SampleDB there are of each reason, repetitions counted. */
export const eventCounts = async (db: Database): Promise<Readonly<Record<string, number>>> => {
  const about = `involvedObject.kind=SampleDB,involvedObject.name=${db.name}`;
  const found: unknown = JSON.parse(
    await db.kubectl("get", "events", "--field-selector", about, "-o", "json"),
  );
  assert.ok(isEventList(found));
  const counts: Record<string, number> = {};
  for (const { reason, count } of found.items) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
};
