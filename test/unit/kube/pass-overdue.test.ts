import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Cluster } from "../../../functions/shared/kube/cluster.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import { type PassNote, pass } from "../../../functions/shared/kube/pass.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { forbidden, merge, plans } from "./pass-scene.ts";

const KEY = { namespace: "shop", name: "orders" };

/** Never answers, as the adapter tells it. */
const silence = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Fault("unavailable", "no answer in time"));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

type Hanging = {
  readonly observe?: boolean;
  readonly carryOut?: boolean;
  /** What another SampleDB's read does. */
  readonly others: (signal: AbortSignal) => Promise<undefined>;
};

/** A pass that has so little time, and what was read at its end. */
const run = async (t: TestContext, hanging: Hanging) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const limits: number[] = [];
  t.mock.method(AbortSignal, "timeout", (ms: number) => {
    limits.push(ms);
    return timeout(ms / 100);
  });
  const asked: string[] = [];
  const notes: PassNote[] = [];
  const fake = fakeCluster({});
  const clusterUntil = (signal: AbortSignal): Cluster => ({
    observe: (...args) => (hanging.observe === true ? silence(signal) : fake.observe(...args)),
    carryOut: (...args) => (hanging.carryOut === true ? silence(signal) : fake.carryOut(...args)),
    sampledb: ({ namespace, name }) => {
      asked.push(`${namespace}/${name}`);
      return hanging.others(signal);
    },
  });
  const outcome = await pass(
    {
      clusterUntil,
      functions: [plans("provision", merge)],
      catalog: () => BUILT_IN_CATALOG,
      tell: (note) => notes.push(note),
    },
    KEY,
  ).catch((cause: unknown) => cause);
  return { outcome, notes, asked, limits };
};

const down = (): Promise<never> => Promise.reject(new Fault("unavailable", "connection refused"));
const there = (): Promise<undefined> => Promise.resolve(undefined);

describe("a pass whose time runs out", () => {
  for (const what of ["observe", "carryOut"] as const) {
    it(`is overdue, not a reason to deliver again, where the API server answers for others (${what})`, async (t) => {
      const { outcome, notes, asked } = await run(t, { [what]: true, others: there });
      assert.equal(outcome, "overdue");
      assert.deepEqual(
        notes.map((note) => note.note === "cut-short" && note.outcome),
        ["overdue"],
      );
      assert.deepEqual(asked, ["shop/another"]);
    });
  }
  it("is overdue too where the answer for others is a refusal: it is an answer", async (t) => {
    const { outcome } = await run(t, { carryOut: true, others: () => Promise.reject(forbidden()) });
    assert.equal(outcome, "overdue");
  });
  it("throws where nothing is answered at all, after 8 s with the question", async (t) => {
    const { outcome, limits } = await run(t, { carryOut: true, others: silence });
    assert.ok(outcome instanceof Fault);
    assert.equal(outcome.sort, "unavailable");
    assert.deepEqual(limits, [7000, 1000]);
  });
  it("asks nobody where time did not run out", async () => {
    const fake = fakeCluster({});
    const options = { functions: [], catalog: () => BUILT_IN_CATALOG, tell: () => undefined };
    await assert.rejects(pass({ ...options, clusterUntil: () => ({ ...fake, observe: down }) }, KEY), {
      sort: "unavailable",
    });
    assert.deepEqual(fake.calls, []);
  });
});
