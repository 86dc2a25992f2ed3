import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Key } from "../../functions/shared/api/key.ts";
import { LABEL } from "../../functions/shared/api/markers.ts";
import { pathOf } from "../../functions/shared/kube/path-of.ts";
import { useApiLevel, writtenSampleDB } from "../support/api-level.ts";
import { fakeApiServer } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import { until } from "../support/until.ts";

/** More than a page. */
const COUNT = 600;

const KINDS = "sampledbs,secrets,configmaps,services,pvc,statefulsets,poddisruptionbudgets";
/** A SampleDB, two Secrets, a ConfigMap, two Services, a claim, a StatefulSet, a PodDisruptionBudget. */
const OBJECTS = 9;

/** Asks resync at `url` for one SampleDB, as a user may. */
const visit = async (url: string, { namespace, name }: Key): Promise<void> => {
  const ce = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "com.example.hand", "ce-source": "/hand" };
  const headers = { ...ce, "ce-kind": "SampleDB", "ce-namespace": namespace, "ce-name": name };
  assert.equal((await fetch(url, { method: "POST", headers })).status, 204);
};

describe("resync on a real API server", () => {
  const level = useApiLevel();
  const create = (kind: "SampleDB" | "Secret", body: object): Promise<string> =>
    level().api.call({
      method: "POST",
      path: pathOf(kind, { namespace: "shop" }),
      body,
      signal: AbortSignal.timeout(60_000),
    });

  /** Name and version of every SampleDB and child of a namespace. */
  const versionsIn = async (namespace: string): Promise<readonly string[]> => {
    const path = "jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{'\\n'}{end}";
    const text = await level().cluster.kubectl(["get", KINDS, "-n", namespace, "-o", path]);
    return text.split("\n").filter((line) => line !== "");
  };

  it("visits every SampleDB beyond the first page, and every orphan, once", async () => {
    const names = Array.from({ length: COUNT }, (_, i) => `db-${i}`);
    await Promise.all(names.map((name) => create("SampleDB", writtenSampleDB(name))));
    for (const database of ["db-7", "gone"]) {
      const metadata = { name: `of-${database}`, namespace: "shop", labels: { [LABEL.database]: database } };
      await create("Secret", { apiVersion: "v1", kind: "Secret", metadata });
    }
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    const env = { KUBECONFIG: level().cluster.kubeconfig, SINK: sink.url };
    await using resync = startFunction("resync", env, ["once"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    const sent = sink.requests.map(({ headers }) => String(headers["ce-name"]));
    assert.deepEqual(sent.toSorted(), [...names, "gone"].toSorted());
    assert.ok(sink.connections.most <= 8, `${sink.connections.most} connections at once`);
  });

  it("visits each as often as it is started, harmlessly: two at once, and nothing is written of what is as it should be", async () => {
    const { cluster } = level();
    await using reconcile = startFunction("reconcile", { KUBECONFIG: cluster.kubeconfig });
    const env = { KUBECONFIG: cluster.kubeconfig, SINK: await reconcile.url() };
    const names = ["a", "b"];
    await cluster.kubectl(["create", "namespace", "swept"]);
    for (const name of names)
      await level().apply({ ...writtenSampleDB(name), metadata: { name, namespace: "swept" } });
    await using ticking = startFunction("resync", env);
    const url = await ticking.url();
    const isQuiet = async (): Promise<true | undefined> => {
      const before = await versionsIn("swept");
      for (const name of names) await visit(url, { namespace: "swept", name });
      const after = await versionsIn("swept");
      return after.length >= names.length * OBJECTS && after.join() === before.join() ? true : undefined;
    };
    await until("visits that change nothing", isQuiet, 120_000);
    const before = await versionsIn("swept");
    const sweeps = [1, 2].map(() => startFunction("resync", env, ["once", "swept"]));
    for (const sweep of sweeps) assert.equal(await sweep.ended, 0, JSON.stringify(sweep.logs));
    for (const { logs } of sweeps) assert.equal(logs.at(-1)?.["sent"], names.length);
    assert.deepEqual(await versionsIn("swept"), before);
  });
});
