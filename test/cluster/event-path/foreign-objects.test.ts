import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type FunctionProcess, startFunction } from "../../support/function-process.ts";
import { allChildren, apply, childrenOf, clusterWithCrd, sendEvent } from "./world.ts";

const COMMON = { apiVersion: "v1", metadata: { namespace: "default" } };

/** Objects that a user made before, under names that a SampleDB's children have. */
const FOREIGN = [
  { title: "Service", of: "a", object: { ...COMMON, kind: "Service", spec: { ports: [{ port: 80 }] } } },
  { title: "ConfigMap", of: "b", object: { ...COMMON, kind: "ConfigMap", data: { theirs: "yes" } } },
  { title: "Secret", of: "c", object: { ...COMMON, kind: "Secret", stringData: { theirs: "yes" } } },
] as const;

describe("an object of a child's name that is somebody else's", () => {
  let cluster: LocalCluster;
  let reconcile: FunctionProcess;
  before(async () => {
    cluster = await clusterWithCrd();
    reconcile = startFunction("reconcile", { KUBECONFIG: cluster.kubeconfig });
  });
  after(async () => {
    await reconcile[Symbol.asyncDispose]();
    await cluster.stop();
  });

  const stalled = async (name: string): Promise<string | undefined> => {
    const path =
      '{.status.conditions[?(@.type=="Stalled")].status} {.status.conditions[?(@.type=="Ready")].reason} {.status.conditions[?(@.type=="Ready")].message}';
    const text = await cluster.kubectl(["get", "sampledb", name, "-o", `jsonpath=${path}`]);
    return text.startsWith("True") ? text : undefined;
  };
  const asItIs = (kind: string, name: string): Promise<string> =>
    cluster.kubectl(["get", kind, name, "-o", "jsonpath={.metadata.resourceVersion}"]);

  for (const { title, of: name, object } of FOREIGN) {
    it(`is left as it is, and told: a ${title}`, async () => {
      const named = { ...object, metadata: { ...object.metadata, name } };
      await cluster.kubectl(["create", "-f", "-"], JSON.stringify(named));
      const version = await asItIs(title, name);
      await apply(cluster, name);
      const told = await waitUntil(
        async () => {
          assert.equal(await sendEvent(await reconcile.url(), name), 204);
          return stalled(name);
        },
        { what: `${name} to stall`, timeoutMs: 300_000 },
      );
      assert.match(
        told,
        new RegExp(`^True CreateRefused ${title} ${name}: it exists already and is not this SampleDB's`, "u"),
      );
      assert.equal(await asItIs(title, name), version);
      // Out of the way, it goes on by itself.
      await cluster.kubectl(["delete", title, name]);
      await waitUntil<true>(
        async () => {
          assert.equal(await sendEvent(await reconcile.url(), name), 204);
          assert.deepEqual(await childrenOf(cluster, name), allChildren(name));
          return true;
        },
        { what: `the children of ${name}`, timeoutMs: 300_000 },
      );
    });
  }
});
