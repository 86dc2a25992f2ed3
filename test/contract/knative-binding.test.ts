import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeRequest } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { until } from "../support/until.ts";
import { isOf, isWatch, listOf, quiet } from "./source-scene.ts";

const OVERRIDES = '{"extensions":{"team":"storage","note":"a b"}}';
const answer = (request: FakeRequest) =>
  isOf("sampledbs")(request) && !isWatch(request) ? listOf("5", "orders") : quiet(request);

const startOf = {
  source: [],
  resync: ["once"],
} as const;

describe("what a SinkBinding or a ContainerSource puts into a process", () => {
  for (const name of ["source", "resync"] as const) {
    it(`${name}: K_SINK is where events go, and the extensions of K_CE_OVERRIDES go with each`, async () => {
      await using api = await fakeApiServer(answer);
      await using sink = await fakeApiServer(() => ({ status: 204 }));
      using kubeconfig = kubeconfigFor(api.url);
      const env = { KUBECONFIG: kubeconfig.file, K_SINK: sink.url, K_CE_OVERRIDES: OVERRIDES };
      await using running = startFunction(name, env, startOf[name]);
      await until("an event", () => sink.requests.length > 0, 60_000);
      const headers = sink.requests[0]?.headers;
      assert.ok(headers !== undefined, running.stderr());
      assert.equal(headers["ce-team"], "storage");
      assert.equal(headers["ce-note"], "a%20b");
      assert.deepEqual([headers["ce-namespace"], headers["ce-name"]], ["shop", "orders"]);
    });

    it(`${name}: bad JSON in K_CE_OVERRIDES ends it at its start, with the variable and its value`, async () => {
      await using api = await fakeApiServer(quiet);
      using kubeconfig = kubeconfigFor(api.url);
      const env = {
        KUBECONFIG: kubeconfig.file,
        K_SINK: "http://reconcile",
        K_CE_OVERRIDES: '{"extensions"',
      };
      await using running = startFunction(name, env, startOf[name]);
      assert.equal(await running.ended, 1);
      const said = `${running.stderr()} ${running.logs.map(({ message }) => String(message)).join(" ")}`;
      assert.ok(said.includes(String.raw`K_CE_OVERRIDES is "{\"extensions\"": it must be JSON`), said);
      assert.deepEqual(api.requests, []);
    });
  }
});
