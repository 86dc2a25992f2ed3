import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Arena } from "../../support/delivery/arena.ts";
import { FAULTS, type Fault } from "../../support/delivery/faults.ts";
import { replayOf } from "../../support/delivery/run-seeds.ts";
import { SHORT_SEEDS } from "../../support/delivery/short-seeds.ts";

const AT_ONCE = 2;

describe("whatever happens to events, killed functions and calls", () => {
  let arena: Arena;
  const happened = new Set<Fault>();
  before(async () => {
    arena = await Arena.start(AT_ONCE);
  });
  after(() => arena.stop());

  describe("SampleDBs end as under serial delivery, and stay so", { concurrency: AT_ONCE }, () => {
    for (const seed of SHORT_SEEDS) {
      it(`seed ${seed}`, async () => {
        const { broken, trace, tally } = await arena.run(seed);
        for (const fault of tally.keys()) happened.add(fault);
        assert.deepEqual(broken, [], [`replay: ${replayOf(seed)}`, ...broken, ...trace].join("\n"));
      });
    }
  });

  it("every fault came to pass", () => {
    assert.deepEqual(
      FAULTS.filter((fault) => !happened.has(fault)),
      [],
    );
  });
});
