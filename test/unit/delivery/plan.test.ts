import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FAULTS } from "../../support/delivery/faults.ts";
import { WIRES, callFault, eventFault, planOf } from "../../support/delivery/plan.ts";
import { SHORT_SEEDS } from "../../support/delivery/short-seeds.ts";
import { SCENARIOS } from "../../support/delivery/stories.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index);
const EVENTS = ["SampleDB ADDED", "Secret ADDED", "StatefulSet MODIFIED", "tick"];

/** Every decision of a seed, for events and calls up to a certain number. */
const decisionsOf = (seed: number): readonly unknown[] => {
  const plan = planOf(seed);
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  return plan.parts.flatMap(({ name }) =>
    numbers.flatMap((count) => [
      EVENTS.map((sort) => eventFault(plan, name, sort, count)),
      ["GET", "PATCH", "POST"].map((method) => callFault(plan, name, method, count)),
    ]),
  );
};

const missing = <T>(all: readonly T[], met: readonly T[]): readonly T[] =>
  all.filter((one) => !met.includes(one));

describe("a seed of the delivery simulator", () => {
  it("decides the same whenever it is asked, in whatever order", () => {
    for (const seed of SEEDS) {
      assert.deepEqual(planOf(seed), planOf(seed));
      assert.deepEqual(decisionsOf(seed), decisionsOf(seed));
      const plan = planOf(seed);
      const backwards = EVENTS.toReversed().map((sort) => eventFault(plan, "orders", sort, 1));
      assert.deepEqual(
        backwards.toReversed(),
        EVENTS.map((sort) => eventFault(plan, "orders", sort, 1)),
      );
    }
  });

  it("decides otherwise than other seeds", () => {
    const all = SEEDS.map((seed) => JSON.stringify([{ ...planOf(seed), seed: 0 }, decisionsOf(seed)]));
    assert.equal(new Set(all).size, SEEDS.length);
  });

  it("lets its two themes happen for certain, each to a SampleDB of its own", () => {
    for (const seed of SEEDS) {
      const plan = planOf(seed);
      const [first, second] = plan.parts.map(({ name }) => [
        eventFault(plan, name, "SampleDB ADDED", 0),
        callFault(plan, name, "PATCH", 0),
      ]);
      assert.ok(first?.includes(plan.themes[0]), `seed ${seed}`);
      assert.ok(second?.includes(plan.themes[1]), `seed ${seed}`);
    }
  });

  it("is one of some that together meet everything", () => {
    const plans = SHORT_SEEDS.map(planOf);
    assert.deepEqual(
      missing(
        FAULTS,
        plans.flatMap(({ themes }) => themes),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        SCENARIOS,
        plans.flatMap(({ parts }) => parts.map(({ scenario }) => scenario)),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        WIRES,
        plans.map(({ wire }) => wire),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        ["one a kind", "free"],
        plans.map(({ lines }) => lines),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        [true, false],
        plans.map(({ releases }) => releases),
      ),
      [],
    );
  });

  it("names SampleDBs so that none is part of another, for calls are told apart by their names", () => {
    const names = planOf(SCENARIOS.indexOf("load")).parts.map(({ name }) => name);
    assert.equal(names.length, 4);
    for (const name of names) {
      assert.deepEqual(
        names.filter((other) => other !== name && other.includes(name)),
        [],
      );
    }
  });
});
