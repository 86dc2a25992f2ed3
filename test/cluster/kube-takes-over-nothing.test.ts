import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Action } from "../../functions/shared/kube/action.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import { useApiLevel } from "../support/api-level.ts";

// Every kind that provision applies; the API server decides it kind by kind.
const applied = [
  { kind: "ConfigMap", apiVersion: "v1", data: { a: "b" } },
  { kind: "Service", apiVersion: "v1", spec: { ports: [{ port: 80 }] } },
  {
    kind: "PodDisruptionBudget",
    apiVersion: "policy/v1",
    spec: { maxUnavailable: 1, selector: { matchLabels: { a: "b" } } },
  },
  {
    kind: "StatefulSet",
    apiVersion: "apps/v1",
    spec: {
      replicas: 0,
      serviceName: "a",
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "a", image: "a.example.com/a:1" }] },
      },
    },
  },
] as const;

describe("an apply of what was not there", () => {
  const level = useApiLevel();
  const carryOut = (action: Action): Promise<unknown> =>
    kubeCluster(level().api, AbortSignal.timeout(60_000)).carryOut(action, "sampledb-provision");

  for (const body of applied) {
    it(`takes over no ${body.kind} that was not read`, async () => {
      const object = { ...body, metadata: { name: "theirs", namespace: "shop" } };
      await carryOut({ do: "apply", object, uid: undefined });
      await assert.rejects(carryOut({ do: "apply", object, uid: undefined }), {
        sort: "conflict",
        reason: "AlreadyExists",
      });
    });
  }
});
