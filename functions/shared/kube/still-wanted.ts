import type { SampleDB } from "../api/sampledb.ts";
import type { Cluster } from "./cluster.ts";
import { Fault } from "./fault.ts";
import type { Observed } from "./observed.ts";

/** The SampleDB is no longer the one that was observed. */
export class Abandoned extends Error {}

/** So long an answer counts. */
const COUNTS_MS = 100;
/**
 * On a slow API server it counts for so many times as long as it took: a deletion that another process carries out takes it more calls than
 * that, and is as slow. Asking before every single creation would only make it slower.
 */
const COUNTS_CALLS = 5;

type Seen = SampleDB | undefined;

const isAnother = (found: Seen, seen: Seen): boolean => found?.metadata.uid !== seen?.metadata.uid;

const isDeleted = (found: Seen, seen: Seen): boolean =>
  found?.metadata.deletionTimestamp !== undefined && seen?.metadata.deletionTimestamp === undefined;

/**
 * To be asked before each write that could make something: reads the SampleDB, at most every 100 ms, less often where a read takes long. Throws Abandoned where it is gone,
 * another one, or being deleted: what is made after its deletion was carried out would stay for ever. Throws a conflict where its spec
 * changed: an apply does not say from which spec it is made, so an old one's would undo what another pass just made of the new one.
 */
export const stillWanted = (cluster: Cluster, { key, sampledb: seen }: Observed): (() => Promise<void>) => {
  let countsUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    const asked = performance.now();
    if (asked <= countsUntil) return;
    const found = await cluster.sampledb(key);
    if (isAnother(found, seen) || isDeleted(found, seen)) throw new Abandoned();
    if (found?.metadata.generation !== seen?.metadata.generation) {
      throw new Fault("conflict", "the spec changed since it was read", { code: 409 });
    }
    countsUntil = asked + Math.max(COUNTS_MS, COUNTS_CALLS * (performance.now() - asked));
  };
};
