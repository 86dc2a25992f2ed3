import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { daysAgo, World } from "./world.ts";

/** One after the other what a rotation needs, with requests before, between and after. */
type Rotate = (world: World, now: Date, between: () => Promise<void>) => Promise<void>;

const killedAfterEachWrite: Rotate = async (world, now, between) => {
  while (!(await world.certify(now, 1))) await between();
};

const twoAtOnce: Rotate = async (world, now) => {
  await Promise.all([world.certify(now), world.certify(now)]);
};

describe("certificates rotate while SampleDBs are written, and no request fails", () => {
  let world: World;
  before(async () => {
    world = await World.start();
    await world.storeOld();
    await world.startAdmission();
  });
  after(() => world.stop());

  for (const [title, label, rotate] of [
    ["with certify killed after each of its writes", "killed", killedAfterEachWrite],
    ["with two runs of certify at once", "twice", twoAtOnce],
  ] as const) {
    it(title, async (context) => {
      const oldCa = await world.storeOld();
      await world.certify(daysAgo(30));
      await world.untilServed();
      await world.untilAdmitted();
      const [mutated, validated] = [world.reviews("mutate"), world.reviews("validate")];
      const connected = world.connections;
      const load = world.startLoad(label);
      /** One rotation with requests before, in the middle and after; whether there is another leaf now. */
      const turn = async (now: Date): Promise<boolean> => {
        const earlier = await world.storedSerial();
        await load.goesOn(25);
        await rotate(world, now, async () => {
          await world.shownSerials();
          await load.goesOn(25);
        });
        await world.untilServed();
        await load.goesOn(75);
        return (await world.storedSerial()) !== earlier;
      };
      try {
        assert.ok(await turn(daysAgo(20)));
        assert.deepEqual(await world.trusted(), [1, 1], "a leaf of the same CA");
        assert.equal(await turn(daysAgo(5)), false);
        assert.deepEqual(await world.trusted(), [2, 2], "a CA beside its predecessor");
        // Two months later in the life of the leaf.
        await world.storeOldLeaf(oldCa);
        await world.untilServed();
        assert.ok(await turn(daysAgo(0)));
        assert.deepEqual(await world.trusted(), [2, 2], "a leaf of the new CA");
      } finally {
        await load.stop();
      }
      assert.deepEqual(load.failures, []);
      context.diagnostic(`${load.answered} requests, ${world.connections - connected} connections`);
      assert.ok(world.reviews("mutate") - mutated >= load.answered);
      assert.ok(world.reviews("validate") - validated >= load.answered);
      assert.ok(world.connections - connected >= 10, "the API server connects anew again and again");
    });
  }
});
