import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callFault, eventFault, faultsOf, planOf } from "../../support/delivery/plan.ts";
import { PROFILES, type Profile } from "../../support/delivery/profiles.ts";
import { SHORT_SEEDS } from "../../support/delivery/short-seeds.ts";
import { SCENARIOS } from "../../support/delivery/stories.ts";
import { WIRES } from "../../support/delivery/wire.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index);
const EVENTS = ["SampleDB ADDED", "Secret ADDED", "StatefulSet MODIFIED", "tick"];

/** Every decision of a seed, for events and calls up to a certain number. */
const decisionsOf = (seed: number, profile: Profile): readonly unknown[] => {
  const plan = planOf(seed, profile);
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

for (const profile of Object.values(PROFILES)) {
  describe(`a seed of the delivery simulator, profile ${profile.name}`, () => {
    it("decides the same whenever it is asked, in whatever order", () => {
      for (const seed of SEEDS) {
        const plan = planOf(seed, profile);
        assert.deepEqual(planOf(seed, profile), plan);
        assert.deepEqual(decisionsOf(seed, profile), decisionsOf(seed, profile));
        const backwards = EVENTS.toReversed().map((sort) => eventFault(plan, "orders", sort, 1));
        assert.deepEqual(
          backwards.toReversed(),
          EVENTS.map((sort) => eventFault(plan, "orders", sort, 1)),
        );
      }
    });

    it("decides otherwise than other seeds", () => {
      const all = SEEDS.map((seed) =>
        JSON.stringify([{ ...planOf(seed, profile), seed: 0 }, decisionsOf(seed, profile)]),
      );
      assert.equal(new Set(all).size, SEEDS.length);
    });

    it("lets its two themes happen for certain, each to a SampleDB of its own", () => {
      for (const seed of SEEDS) {
        const plan = planOf(seed, profile);
        const [first, second] = plan.parts.map(({ name }) => [
          eventFault(plan, name, "SampleDB ADDED", 0),
          callFault(plan, name, "PATCH", 0),
        ]);
        assert.ok(first?.includes(plan.themes[0]), `seed ${seed}`);
        assert.ok(second?.includes(plan.themes[1]), `seed ${seed}`);
      }
    });

    it("lets nothing happen to events that its way does not know", () => {
      for (const seed of SEEDS) {
        const plan = planOf(seed, profile);
        const met = EVENTS.map((sort) => eventFault(plan, "orders", sort, seed));
        assert.deepEqual(
          met.filter((fault) => fault !== undefined && !profile.faults.includes(fault)),
          [],
        );
      }
    });
  });
}

describe("seeds of the delivery simulator", () => {
  it("together meet everything, the short ones too", () => {
    const plans = SHORT_SEEDS.any.map((seed) => planOf(seed));
    assert.deepEqual(
      missing(
        faultsOf(PROFILES.any),
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

  it("name SampleDBs so that none is part of another, for calls are told apart by their names", () => {
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
