import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joined } from "../../../functions/resync/joined.ts";
import { sweep } from "../../../functions/resync/sweep.ts";
import type { Key } from "../../../functions/shared/api/key.ts";
import type { Delivery } from "../../../functions/shared/serve/sink.ts";

const keys = (count: number): readonly Key[] =>
  Array.from({ length: count }, (_, i) => ({ namespace: "shop", name: `n${i}` }));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A sink that answers as told and remembers. */
const sinkThat = (answer: (name: string, nth: number) => Delivery) => {
  const names: string[] = [];
  const load = { now: 0, most: 0 };
  return {
    names,
    load,
    deliver: async ({ name }: Key): Promise<Delivery> => {
      load.now += 1;
      load.most = Math.max(load.most, load.now);
      await turn();
      load.now -= 1;
      names.push(name);
      return answer(name, names.filter((each) => each === name).length);
    },
  };
};

const waits: number[] = [];
const options = {
  concurrency: 3,
  random: () => 0,
  wait: (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  },
};

describe("sweep", () => {
  it("sends every key once to every sink, several at a time", async () => {
    const sinks = [sinkThat(() => "delivered"), sinkThat(() => "delivered")];
    assert.deepEqual(await sweep(keys(10), { ...options, sinks }), { sent: 10, failed: 0 });
    for (const { names, load } of sinks) {
      assert.equal(new Set(names).size, 10);
      assert.equal(names.length, 10);
      assert.equal(load.most, 3);
    }
  });
  it("tries a few times before it leaves a key to the next sweep", async () => {
    const sink = sinkThat((name, nth) => (name === "n1" || nth < 3 ? "again" : "delivered"));
    assert.deepEqual(await sweep(keys(2), { ...options, sinks: [sink] }), { sent: 1, failed: 1 });
    assert.equal(sink.names.filter((name) => name === "n1").length, 4);
  });
  it("does not try again what will never be taken", async () => {
    const sink = sinkThat(() => "dropped");
    assert.deepEqual(await sweep(keys(1), { ...options, sinks: [sink] }), { sent: 0, failed: 1 });
    assert.equal(sink.names.length, 1);
  });
  it("begins anywhere, so that a deadline does not always cut off the same keys", async () => {
    const sink = sinkThat(() => "delivered");
    await sweep(keys(4), { ...options, concurrency: 1, random: () => 0.5, sinks: [sink] });
    assert.deepEqual(sink.names, ["n2", "n3", "n0", "n1"]);
  });
  it("has nothing to do without keys", async () => {
    assert.deepEqual(await sweep([], { ...options, sinks: [] }), { sent: 0, failed: 0 });
  });
});

describe("joined", () => {
  it("gives calls during a run that run's result, and runs again after it", async () => {
    const ends: PromiseWithResolvers<number>[] = [];
    const run = joined(() => {
      const end = Promise.withResolvers<number>();
      ends.push(end);
      return end.promise;
    });
    const calls = [run(), run()];
    assert.equal(ends.length, 1);
    ends[0]?.resolve(1);
    assert.deepEqual(await Promise.all(calls), [1, 1]);
    void run();
    assert.equal(ends.length, 2);
  });
});
