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
    await world.scene.startAdmission();
  });
  after(() => world.scene.stop());

  for (const [title, label, rotate] of [
    ["with certify killed after each of its writes", "killed", killedAfterEachWrite],
    ["with two runs of certify at once", "twice", twoAtOnce],
  ] as const) {
    it(title, async (context) => {
      const oldCa = await world.storeOld();
      await world.certify(daysAgo(30));
      await world.scene.untilServed();
      await world.scene.untilAdmitted();
      const [mutated, validated] = [world.scene.reviews("mutate"), world.scene.reviews("validate")];
      const connected = world.scene.connections;
      const load = world.scene.startLoad(label);
      /** One rotation with requests before, in the middle and after; whether there is another leaf now. */
      const turn = async (now: Date): Promise<boolean> => {
        const earlier = await world.scene.storedSerial();
        await load.goesOn(25);
        await rotate(world, now, async () => {
          await world.scene.shownSerials();
          await load.goesOn(25);
        });
        await world.scene.untilServed();
        await load.goesOn(75);
        return (await world.scene.storedSerial()) !== earlier;
      };
      try {
        assert.ok(await turn(daysAgo(20)));
        assert.deepEqual(await world.scene.trusted(), [1, 1], "a leaf of the same CA");
        assert.equal(await turn(daysAgo(5)), false);
        assert.deepEqual(await world.scene.trusted(), [2, 2], "a CA beside its predecessor");
        // Two months later in the life of the leaf.
        await world.storeOldLeaf(oldCa);
        await world.scene.untilServed();
        assert.ok(await turn(daysAgo(0)));
        assert.deepEqual(await world.scene.trusted(), [2, 2], "a leaf of the new CA");
      } finally {
        await load.stop();
      }
      assert.deepEqual(load.failures, []);
      context.diagnostic(`${load.answered} requests, ${world.scene.connections - connected} connections`);
      assert.ok(world.scene.reviews("mutate") - mutated >= load.answered);
      assert.ok(world.scene.reviews("validate") - validated >= load.answered);
      assert.ok(world.scene.connections - connected >= 10, "the API server connects anew again and again");
    });
  }
});
