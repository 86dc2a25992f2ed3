import type { Catalog } from "../api/catalog.ts";
import type { Action } from "./action.ts";
import type { Observed, ReadKind } from "./observed.ts";

/** A write that the API server refused earlier in this pass, for `report` to tell. */
export type RefusedWrite = {
  /** Function that tried it, e.g. `provision`. */
  readonly by: string;
  /** Kind and name, e.g. `PersistentVolumeClaim orders-1-1`. */
  readonly object: string;
  readonly code: number;
  /** The API server's `reason`, e.g. `Forbidden`. */
  readonly reason: string;
  readonly message: string;
};

/** What a plan may know besides the cluster. Passed in, so that plans stay pure. */
export type PlanContext = {
  readonly catalog: Catalog;
  readonly now: Date;
  /** A fresh random password: 32 characters of A-Z, a-z, 0-9. */
  readonly newPassword: () => string;
  readonly refused: readonly RefusedWrite[];
};

/** A reconcile function: a pure plan on what it asked to be read, carried out under the field manager `sampledb-<name>`. */
export type ReconcileFunction = {
  readonly name: string;
  readonly reads: readonly ReadKind[];
  /** What it reads where there is no such SampleDB (any more): nothing by default, so that a forged event costs one read. */
  readonly readsIfGone?: readonly ReadKind[];
  readonly plan: (observed: Observed, context: PlanContext) => readonly Action[];
};

/** Ties a plan to the kinds that it reads: one that was not asked for does not compile. */
export const reconcileFunction = <R extends ReadKind>(definition: {
  readonly name: string;
  readonly reads: readonly R[];
  readonly readsIfGone?: readonly R[];
  readonly plan: (observed: Observed<R>, context: PlanContext) => readonly Action[];
}): ReconcileFunction => definition;
