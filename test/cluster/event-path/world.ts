import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { childNames } from "../../../functions/shared/api/child-names.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { functionWrites, type AuditEvent } from "../../support/audit-log.ts";
import { type LocalCluster, startCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";

/** An API server that knows SampleDBs, and nobody who acts on them. Without a node, pods stay pending and no database becomes Ready. */
export const clusterWithCrd = async (): Promise<LocalCluster> => {
  const cluster = await startCluster({ level: "api" });
  await installCrds(cluster.kubectl);
  return cluster;
};

export const apply = (
  cluster: LocalCluster,
  name: string,
  spec: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  cluster.kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name, namespace: "default" },
      spec,
    }),
  );

const KINDS = "secrets,configmaps,services,persistentvolumeclaims,statefulsets,poddisruptionbudgets,jobs";

/** Names of the SampleDB's children, `kind/name`, sorted. */
export const childrenOf = async (cluster: LocalCluster, name: string): Promise<readonly string[]> => {
  const list = await cluster.kubectl(["get", KINDS, "-l", `${LABEL.database}=${name}`, "-o", "name"]);
  return list.trim().split("\n").filter(Boolean).toSorted();
};

/** What `provision` makes for a SampleDB. */
export const allChildren = (name: string): readonly string[] => {
  const names = childNames(name);
  return [
    `secret/${names.secret}`,
    `secret/${names.superuserSecret}`,
    `configmap/${names.configMap}`,
    `service/${names.service}`,
    `service/${names.headlessService}`,
    `persistentvolumeclaim/${names.claim}`,
    `statefulset.apps/${names.statefulSet}`,
    `poddisruptionbudget.policy/${names.podDisruptionBudget}`,
  ].toSorted();
};

/** Waits until every child is there and status speaks of the current generation. */
export const untilConverged = (cluster: LocalCluster, name: string): Promise<true> =>
  waitUntil<true>(
    async () => {
      assert.deepEqual(await childrenOf(cluster, name), allChildren(name));
      const path = "{.metadata.generation}/{.status.observedGeneration}";
      const [generation, observed] = (
        await cluster.kubectl(["get", "sampledb", name, "-o", `jsonpath=${path}`])
      ).split("/");
      assert.equal(observed, generation);
      return true;
    },
    { what: `${name} to converge`, timeoutMs: 300_000, everyMs: 200 },
  );

/** Waits until the functions have written nothing for a while, and gives all that they wrote. */
export const untilQuiet = async (cluster: LocalCluster, quietMs = 1500): Promise<readonly AuditEvent[]> => {
  let before = await functionWrites(cluster.auditLogFile);
  for (;;) {
    // Quiet is an absence: it has no condition to wait on but time.
    await wait(quietMs);
    const after = await functionWrites(cluster.auditLogFile);
    if (after.length === before.length) return after;
    before = after;
  }
};

/** A small repeatable generator (mulberry32): the seed is in the test's title. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Sends the event that says "something about this SampleDB changed"; the answer's status code. */
export const sendEvent = async (url: string, name: string): Promise<number> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "ce-specversion": "1.0",
      "ce-id": `test-${name}`,
      "ce-type": "dev.knative.apiserver.ref.update",
      "ce-source": "/test",
    },
    body: JSON.stringify({ apiVersion: "sampledb.dev/v1", kind: "SampleDB", namespace: "default", name }),
  });
  return answer.status;
};
