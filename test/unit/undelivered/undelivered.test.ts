import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import type { Event } from "../../../functions/shared/kube/kinds.ts";
import type { Letter } from "../../../functions/undelivered/letter.ts";
import { undelivered } from "../../../functions/undelivered/undelivered.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const LETTER: Letter = { to: "provision", code: "503" };
const KEY = { namespace: "shop", name: "orders" };
const NOW = new Date("2026-01-01T00:00:00.500Z");

const planned = async (sampledb: SampleDB | undefined, letter: Letter = LETTER, now = NOW) => {
  const { name, reads, plan } = undelivered(letter);
  assert.deepEqual([name, reads], ["undelivered", []]);
  const observed = await fakeCluster({ sampledb: () => sampledb }).observe(KEY, new Set(reads));
  return plan(observed, { catalog: BUILT_IN_CATALOG, now, newPassword: () => "", refused: [] });
};

const told = async (...given: Parameters<typeof planned>): Promise<Event> => {
  const [action, ...others] = await planned(...given);
  assert.ok(action?.do === "create" && action.object.kind === "Event");
  assert.deepEqual(others, []);
  return action.object;
};

const nameOf = async (...given: Parameters<typeof planned>): Promise<string> =>
  (await told(...given)).metadata.name ?? "";

describe("undelivered", () => {
  it("warns on the SampleDB, naming the function and its answer, and writes nothing else", async () => {
    const event = await told(makeSampleDB());
    assert.deepEqual(event.involvedObject, {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      namespace: "shop",
      name: "orders",
      uid: "uid-orders",
    });
    assert.deepEqual([event.type, event.reason], ["Warning", "EventUndelivered"]);
    assert.deepEqual([event.metadata.namespace, event.reportingComponent], ["shop", "sampledb-undelivered"]);
    assert.match(
      event.message ?? "",
      /given up: provision answered 503 each time\. .* the log of provision says why\.$/u,
    );
    assert.match(event.metadata.name ?? "", /^orders\.[0-9a-f]{16}$/u);
  });

  it("says so where there was no answer, and where it is not known whose", async () => {
    const { message = "" } = await told(makeSampleDB(), { to: "unknown", code: "none" });
    assert.match(
      message,
      /given up: a function did not answer each time\. .* the log of that function says why\.$/u,
    );
  });

  it("tells a SampleDB that is being deleted too: that retire fails is news", async () => {
    const ending = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
    assert.equal((await told(ending, { to: "retire", code: "503" })).involvedObject.name, "orders");
  });

  it("tells nothing where there is no such SampleDB", async () => {
    assert.deepEqual(await planned(undefined), []);
  });

  it("gives a doubled letter, and every later one of the same function and answer, the name of the first", async () => {
    const first = await nameOf(makeSampleDB());
    assert.equal(await nameOf(makeSampleDB(), LETTER, new Date("2026-01-01T00:59:00Z")), first);
    const others = await Promise.all([
      nameOf(makeSampleDB(), { ...LETTER, to: "retire" }),
      nameOf(makeSampleDB(), { ...LETTER, code: "400" }),
      nameOf(makeSampleDB({ metadata: { uid: "another" } })),
    ]);
    assert.equal(new Set([first, ...others]).size, 4);
  });
});
