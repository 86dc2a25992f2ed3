import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Finding } from "../../../functions/report/finding.ts";
import {
  makeClaim,
  makeInitPod,
  makeJob,
  makePendingClaim,
  makePod,
  makeStatefulSet,
} from "../../support/make-children.ts";
import { type Change, findingIn, type makePodWith } from "./make-observed.ts";

/** A world and what report finds in it. */
export type Row = {
  readonly name: string;
  readonly world: Change;
  readonly want: Pick<Finding, "reason" | "severity"> & { readonly says: RegExp };
};

/** A StatefulSet whose pod is not Ready. */
export const notReady = makeStatefulSet({
  status: { replicas: 1, observedGeneration: 1, currentRevision: "orders-1-a", updateRevision: "orders-1-a" },
});
const fresh = makeClaim({ metadata: { annotations: { "sampledb.dev/initialized": "false" } } });
export const uninitialized = {
  ...fresh,
  metadata: {
    ...fresh.metadata,
    annotations: Object.fromEntries(
      Object.entries(fresh.metadata?.annotations ?? {}).filter(
        ([name]) => !/initialized|init-scripts|credentials-verified/u.test(name),
      ),
    ),
  },
};
export const pending = (
  metadata: Parameters<typeof makePendingClaim>[0] = {},
): NonNullable<Change["objects"]> => ({
  PersistentVolumeClaim: [makePendingClaim(metadata)],
  StatefulSet: [notReady],
  Pod: [],
});
export const starting = (pod: ReturnType<typeof makePodWith>): NonNullable<Change["objects"]> => ({
  StatefulSet: [notReady],
  Pod: [pod],
});
export const initializing = (
  end: Parameters<typeof makeInitPod>[0],
  conditions: { readonly type: string; readonly status: string; readonly message?: string }[] = [],
): NonNullable<Change["objects"]> => ({
  PersistentVolumeClaim: [uninitialized],
  Job: [makeJob({ status: { conditions } })],
  Pod: [makePod(), makeInitPod(end)],
});
export const quota =
  'pods "orders-1-0" is forbidden: exceeded quota: tight, requested: pods=1, used: pods=1, limited: pods=1';
export const unscheduledSince = (lastTransitionTime: string, message: string) =>
  makePod({
    status: {
      phase: "Pending",
      conditions: [
        { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime },
      ],
    },
  });

export const reportTells = (what: string, rows: readonly Row[]): void => {
  describe(`report tells ${what}:`, () => {
    for (const { name, world, want } of rows) {
      it(name, () => {
        const finding = findingIn(world);
        assert.equal(finding?.reason, want.reason);
        assert.equal(finding.severity, want.severity);
        assert.match(finding.message, want.says);
      });
    }
  });
};
