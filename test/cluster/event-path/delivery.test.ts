import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Arena } from "../../support/delivery/arena.ts";
import type { Fault } from "../../support/delivery/faults.ts";
import { planOf } from "../../support/delivery/plan.ts";
import { PROFILES, type ProfileName } from "../../support/delivery/profiles.ts";
import { replayOf } from "../../support/delivery/run-seeds.ts";
import { SHORT_SEEDS } from "../../support/delivery/short-seeds.ts";

const AT_ONCE = 2;

const NAMES = Object.keys(PROFILES).filter((name): name is ProfileName => Object.hasOwn(PROFILES, name));

describe("whatever happens to events, killed functions and calls", () => {
  let arena: Arena;
  before(async () => {
    arena = await Arena.start(AT_ONCE);
  });
  after(() => arena.stop());

  for (const profile of NAMES) {
    const happened = new Set<Fault>();
    describe(
      `SampleDBs end as under serial delivery, and stay so, profile ${profile}`,
      { concurrency: AT_ONCE },
      () => {
        for (const seed of SHORT_SEEDS[profile]) {
          it(`seed ${seed}`, async () => {
            const { broken, trace, tally } = await arena.run(seed, profile);
            for (const fault of tally.keys()) happened.add(fault);
            assert.deepEqual(
              broken,
              [],
              [`replay: ${replayOf(seed, profile)}`, ...broken, ...trace].join("\n"),
            );
          });
        }
      },
    );

    it(`every fault that is a theme of one of them came to pass, profile ${profile}`, () => {
      const themes = SHORT_SEEDS[profile].flatMap((seed) => planOf(seed, PROFILES[profile]).themes);
      assert.deepEqual(
        themes.filter((fault) => !happened.has(fault)),
        [],
      );
    });
  }
});
