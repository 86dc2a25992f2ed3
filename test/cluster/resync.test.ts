import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LABEL } from "../../functions/shared/api/markers.ts";
import { pathOf } from "../../functions/shared/kube/path-of.ts";
import { useApiLevel, writtenSampleDB } from "../support/api-level.ts";
import { fakeApiServer } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";

/** More than a page. */
const COUNT = 600;

describe("resync on a real API server", () => {
  const level = useApiLevel();
  const create = (kind: "SampleDB" | "Secret", body: object): Promise<string> =>
    level().api.call({
      method: "POST",
      path: pathOf(kind, { namespace: "shop" }),
      body,
      signal: AbortSignal.timeout(60_000),
    });

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
});
