import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startOf } from "../../../functions/resync/start-of.ts";

const MINUTE = 60_000;

/** A sweep that is cut off after `reach` of `count` keys, every so many minutes. */
type Cut = { readonly count: number; readonly reach: number; readonly everyMinutes: number };

/** How many sweeps it takes until each key was reached, the first one at `from`. */
const sweepsToReachAll = ({ count, reach, everyMinutes }: Cut, from: number): number => {
  const reached = new Set<number>();
  for (let sweeps = 0; ; sweeps += 1) {
    if (reached.size === count) return sweeps;
    assert.ok(sweeps < 20 * count, `${reached.size} of ${count} after ${sweeps} sweeps`);
    const start = startOf(from + sweeps * everyMinutes * MINUTE, count);
    for (let i = 0; i < reach; i += 1) reached.add((start + i) % count);
  }
};

const counts = [1, 2, 3, 7, 10, 100, 1000];
const shares = [1, 0.9, 0.5, 0.3, 0.1, 0.02, 0.001];
const cuts = counts.flatMap((count) =>
  shares.map((share) => ({ count, reach: Math.max(1, Math.floor(count * share)) })),
);
const MOMENTS = ["2026-01-01T00:00:00Z", "2026-07-31T13:37:59.999Z", "2031-02-03T04:05:06Z"].map(Date.parse);

describe("where sweeps begin that are all cut short", () => {
  /** Minutes between ticks, and what the cuts cost: how often the keys are gone through until each was reached. */
  const bounds = [
    { everyMinutes: 1, rounds: 2, tick: "minute" },
    { everyMinutes: 5, rounds: 4, tick: "five minutes" },
    { everyMinutes: 10, rounds: 7, tick: "ten minutes" },
  ];
  for (const { everyMinutes, rounds, tick } of bounds) {
    it(`reaches every key within ${rounds} times as many sweeps as one after the other would need, at a tick every ${tick}`, () => {
      for (const cut of cuts)
        for (const from of MOMENTS) {
          const needed = sweepsToReachAll({ ...cut, everyMinutes }, from);
          const most = (rounds * cut.count) / cut.reach + 1;
          assert.ok(needed <= most, `${JSON.stringify(cut)} from ${from}: ${needed} sweeps, not ${most}`);
        }
    });
  }
  it("is always one of the keys", () => {
    for (const count of counts)
      for (const from of MOMENTS) {
        const start = startOf(from, count);
        assert.ok(Number.isInteger(start) && start >= 0 && start < count, `${start} of ${count}`);
      }
    assert.equal(startOf(0, 0), 0);
  });
});
