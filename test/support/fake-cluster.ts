import type { SampleDB } from "../../functions/shared/api/sampledb.ts";
import type { Action, Writable } from "../../functions/shared/kube/action.ts";
import type { Cluster } from "../../functions/shared/kube/cluster.ts";
import type { Observed, ReadKind } from "../../functions/shared/kube/observed.ts";
import { makeSampleDB } from "./make-sampledb.ts";

/** Every list of an observation, empty. */
const nothing = (): Observed["objects"] => ({
  Secret: [],
  ConfigMap: [],
  Service: [],
  PersistentVolumeClaim: [],
  PersistentVolume: [],
  StatefulSet: [],
  PodDisruptionBudget: [],
  Job: [],
  Pod: [],
  StorageClass: [],
  Event: [],
  InitSource: [],
});

export type FakeCluster = Cluster & {
  /** Every call, in order: `observe Secret Pod`, `sampledb`, `sampledb-provision create Service`. */
  readonly calls: string[];
};

/** A cluster that holds one SampleDB, records calls and answers as told. */
export const fakeCluster = (answers: {
  /** The SampleDB as it is when it is read for the nth time (0: by the first observation). Default: `orders`, unchanged. */
  readonly sampledb?: (reads: number) => SampleDB | undefined;
  /** May throw in place of the nth write (from 0). */
  readonly write?: (nth: number, action: Action) => void;
  /** What a write gives. Default: nothing. */
  readonly written?: (action: Action) => Writable | undefined;
  readonly observe?: (nth: number) => void;
}): FakeCluster => {
  const calls: string[] = [];
  const counts = { reads: 0, writes: 0, observations: 0 };
  const sampledb = (): SampleDB | undefined => (answers.sampledb ?? (() => makeSampleDB()))(counts.reads++);
  return {
    calls,
    observe: async <R extends ReadKind>(key: Observed["key"], reads: ReadonlySet<R>) => {
      calls.push(["observe", ...reads].join(" "));
      answers.observe?.(counts.observations++);
      return Promise.resolve({ key, sampledb: sampledb(), objects: nothing() });
    },
    sampledb: async () => {
      calls.push("sampledb");
      return Promise.resolve(sampledb());
    },
    carryOut: async (action, manager) => {
      const kind = "object" in action ? action.object.kind : action.ref.kind;
      calls.push(`${manager} ${action.do} ${kind}`);
      answers.write?.(counts.writes++, action);
      return Promise.resolve(answers.written?.(action));
    },
  };
};
