import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { atMost } from "../../../functions/shared/kube/at-most.ts";

describe("at most so many at once", () => {
  it("lets the others wait and starts them in order, each as soon as one ends, also by an error", async () => {
    const started: number[] = [];
    const ends = new Map<number, PromiseWithResolvers<void>>();
    const run = atMost(2, async (id: number) => {
      started.push(id);
      const end = Promise.withResolvers<void>();
      ends.set(id, end);
      await end.promise;
      return id;
    });
    const results = Promise.allSettled([1, 2, 3, 4, 5].map((id) => run(id)));
    await turn();
    assert.deepEqual(started, [1, 2]);
    ends.get(2)?.reject(new Error("failed"));
    await turn();
    assert.deepEqual(started, [1, 2, 3]);
    ends.get(1)?.resolve();
    ends.get(3)?.resolve();
    await turn();
    assert.deepEqual(started, [1, 2, 3, 4, 5]);
    ends.get(4)?.resolve();
    ends.get(5)?.resolve();
    const settled = (await results).map(({ status }) => status);
    assert.deepEqual(settled, ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  });

  it("gives a place that is free again to the next who comes", async () => {
    const run = atMost(1, (id: number) => Promise.resolve(id));
    assert.equal(await run(1), 1);
    assert.equal(await run(2), 2);
  });
});
