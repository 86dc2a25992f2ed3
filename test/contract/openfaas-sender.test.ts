import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { httpSink } from "../../functions/shared/serve/sink.ts";
import { captureLogs } from "../support/capture-logs.ts";
import { fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeApiServer } from "../support/fake-api-server.ts";
import { until } from "../support/until.ts";
import { startOpenFaas } from "./openfaas-scene.ts";
import type { OpenFaas } from "./openfaas-scene.ts";

const KEY = { namespace: "shop", name: "orders" };

describe("a sender, and what OpenFaaS says in the function's place", () => {
  let slow: FakeApiServer;
  let broken: FakeApiServer;
  let well: FakeApiServer;
  let openFaas: OpenFaas;
  /** Its functions take for ever, and one call each. */
  let patient: OpenFaas;
  before(async () => {
    slow = await fakeApiServer(() => "hang");
    broken = await fakeApiServer(() => "cut");
    well = await fakeApiServer(() => ({ status: 204 }));
    openFaas = await startOpenFaas(
      {
        slow: { upstream: () => slow.url, execMs: 200 },
        "too-slow": { upstream: () => slow.url },
        broken: { upstream: () => broken.url },
        well: { upstream: () => well.url },
      },
      1000,
    );
    patient = await startOpenFaas(
      { full: { upstream: () => slow.url, execMs: 600_000, maxInflight: 1 } },
      600_000,
    );
  });
  after(async () => {
    for (const each of [openFaas, patient, slow, broken, well]) await each[Symbol.asyncDispose]();
  });

  const deliver = async (path: string, { gateway } = openFaas): Promise<string> => {
    const sink = httpSink(new URL(path, gateway.url), "source.changed", 1);
    try {
      return await sink.deliver(KEY);
    } finally {
      sink.close();
    }
  };

  it("is done where the function took the event, by whichever of its names", async (t) => {
    captureLogs(t);
    assert.equal(await deliver("/function/well"), "delivered");
    assert.equal(await deliver("/function/well.openfaas-fn"), "delivered");
    assert.deepEqual(
      well.requests.map(({ path, headers, body }) => [
        path,
        headers["ce-name"],
        headers["x-forwarded-for"] !== "",
        body,
      ]),
      [
        ["/", "orders", true, ""],
        ["/", "orders", true, ""],
      ],
    );
  });

  for (const [name, status, what] of [
    ["slow", 504, "is too slow for its watchdog"],
    ["too-slow", 502, "is too slow for the gateway"],
    ["broken", 500, "breaks the connection"],
    ["unknown", 404, "is not deployed yet"],
  ] as const)
    it(`tries again later where the function ${what} (${status})`, async (t) => {
      const logs = captureLogs(t);
      assert.equal(await deliver(`/function/${name}`), "again");
      assert.deepEqual(
        logs().map((line) => line["status"]),
        [status],
      );
    });

  it("tries again later where the function is full (429), and where the gateway ends in the middle of a call", async (t) => {
    const logs = captureLogs(t);
    const asked = slow.requests.length;
    const first = deliver("/function/full", patient);
    await until("the first call at the function", () => slow.requests.length > asked);
    assert.equal(await deliver("/function/full", patient), "again");
    assert.deepEqual(
      logs().map((line) => line["status"]),
      [429],
    );
    patient.gateway.cut();
    assert.equal(await first, "again");
    assert.match(String(logs().at(-1)?.["message"]), /ECONNRESET|hang up/u);
  });
});
