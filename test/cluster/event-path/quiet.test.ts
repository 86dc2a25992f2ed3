import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { functionWrites, writeText } from "../../support/audit-log.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { startFunction } from "../../support/function-process.ts";
import { QuietScene, since } from "./quiet-scene.ts";
import { allChildren, apply, sendEvent, untilConverged, untilQuiet } from "./world.ts";

const MANY = 100;
/** What each of them has: see `allChildren`. */
const CHILDREN = 8;
const KINDS = "secrets,configmaps,services,persistentvolumeclaims,statefulsets,poddisruptionbudgets";

describe("what the functions write", () => {
  let scene: QuietScene;

  before(async () => {
    scene = await QuietScene.start();
  });
  after(() => scene.stop());

  it("is at most three times per child in a first convergence, and nothing twice", async () => {
    const { cluster } = scene;
    await apply(cluster, "orders");
    await untilConverged(cluster, "orders");
    const all = await untilQuiet(cluster);
    const writes = all.filter(
      ({ objectRef }) => !["events", "sampledbs"].includes(objectRef?.resource ?? ""),
    );
    const perObject = Map.groupBy(writes, ({ objectRef }) => `${objectRef?.resource}/${objectRef?.name}`);
    const tooMany = [...perObject].filter(([, list]) => list.length > 3).map(([object]) => object);
    assert.deepEqual(tooMany, [], writes.map(writeText).join("\n"));
    assert.equal(perObject.size, allChildren("orders").length, writes.map(writeText).join("\n"));
    // A pass plans on what it wrote itself, and one key has one pass at a time: nothing comes too late.
    const refused = all.filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400);
    assert.deepEqual(refused.map(writeText), []);
  });

  it("is nothing at the fixed point, whatever event comes, to whichever path", async () => {
    const { cluster, url } = scene;
    const earlier = (await untilQuiet(cluster)).length;
    const paths = ["", "/provision", "/initialize", "/retire", "/report"];
    for (const path of paths) {
      for (const name of ["orders", "orders", "nobody", "orders-1"]) {
        assert.equal(await sendEvent(`${url}${path || "/"}`, name), 204);
      }
    }
    const writes = await functionWrites(cluster.auditLogFile);
    assert.deepEqual(writes.slice(earlier).map(writeText), []);
  });

  it("is nothing for a SampleDB that admission would have refused, but its status", async () => {
    const { cluster } = scene;
    const earlier = (await untilQuiet(cluster)).length;
    await apply(cluster, "unpinned", { image: "registry.example.com/postgres:latest" }).catch(
      () => undefined,
    );
    const writes = (await untilQuiet(cluster)).slice(earlier);
    assert.deepEqual(
      writes.filter(
        ({ objectRef }) => objectRef?.subresource !== "status" && objectRef?.resource !== "events",
      ),
      [],
    );
  });
});

describe(`an idle cluster with ${MANY} SampleDBs`, () => {
  let scene: QuietScene;
  const namespace = "many";

  before(async () => {
    scene = await QuietScene.start();
    const { cluster } = scene;
    const items = Array.from({ length: MANY }, (_, index) => ({
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      // As `mutate` leaves it.
      metadata: { name: `orders-${index}`, namespace, finalizers: ["sampledb.dev/retire"] },
      spec: {},
    }));
    await cluster.kubectl(["create", "namespace", namespace]);
    await cluster.kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    const list = ["get", KINDS, "-n", namespace, "-l", "sampledb.dev/database", "-o", "name"];
    await waitUntil<true>(
      async () => (await cluster.kubectl(list)).trim().split("\n").length === MANY * CHILDREN || undefined,
      { what: "every child", timeoutMs: 240_000, everyMs: 1000 },
    );
    await scene.untilIdle(2000);
  });
  after(() => scene.stop());

  it("causes no call of a function and no request, watches apart", async () => {
    const [earlier, arrived] = [await scene.costs(), await scene.arrived()];
    assert.ok(earlier.events >= MANY && arrived >= MANY);
    const { events, passes, reads, writes } = since(earlier, await scene.untilIdle(10_000));
    assert.deepEqual([events, passes, reads, writes], [0, 0, 0, 0]);
    assert.equal(await scene.arrived(), arrived);
  });

  it("is visited by a tick, which writes nothing", async () => {
    const { cluster, url } = scene;
    const [earlier, writes, arrived] = [
      await scene.costs(),
      (await functionWrites(cluster.auditLogFile)).length,
      await scene.arrived(),
    ];
    const env = { KUBECONFIG: cluster.kubeconfig, SINK: url };
    await using resync = startFunction("resync", env, ["once"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    const cost = since(earlier, await scene.untilIdle());
    assert.equal(await scene.arrived(), arrived + MANY);
    assert.deepEqual((await functionWrites(cluster.auditLogFile)).slice(writes).map(writeText), []);
    assert.equal(cost.passes, MANY);
    assert.equal(cost.events, 0, "a tick is followed by no event of source");
    assert.ok(cost.reads <= 12 * MANY + 10, `${cost.reads} reads`);
  });
});
