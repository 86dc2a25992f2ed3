import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joined } from "../../../functions/resync/joined.ts";
import { sweep } from "../../../functions/resync/sweep.ts";
import type { Key } from "../../../functions/shared/api/key.ts";
import type { Delivery } from "../../../functions/shared/serve/delivery-of.ts";

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
  now: 0,
  wait: (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  },
};

/** The key that a sweep at this moment begins with; it sends all 1000. */
const firstAt = async (now: number): Promise<string | undefined> => {
  const sink = sinkThat(() => "delivered");
  await sweep(keys(1000), { ...options, concurrency: 1, now, sinks: [sink] });
  assert.equal(new Set(sink.names).size, 1000);
  return sink.names[0];
};

describe("sweep", () => {
  it("sends every key once to every sink, several at a time", async () => {
    const sinks = [sinkThat(() => "delivered"), sinkThat(() => "delivered")];
    assert.deepEqual(await sweep(keys(10), { ...options, sinks }), {
      sent: 10,
      failed: 0,
      missed: [],
    });
    for (const { names, load } of sinks) {
      assert.equal(new Set(names).size, 10);
      assert.equal(names.length, 10);
      assert.equal(load.most, 3);
    }
  });
  it("tries a few times before it leaves a key to the next sweep", async () => {
    const sink = sinkThat((name, nth) => (name === "n1" || nth < 3 ? "again" : "delivered"));
    assert.deepEqual(await sweep(keys(2), { ...options, sinks: [sink] }), {
      sent: 1,
      failed: 1,
      missed: ["shop/n1"],
    });
    assert.equal(sink.names.filter((name) => name === "n1").length, 4);
  });
  it("does not try again what will never be taken", async () => {
    const sink = sinkThat(() => "dropped");
    assert.deepEqual(await sweep(keys(1), { ...options, sinks: [sink] }), {
      sent: 0,
      failed: 1,
      missed: ["shop/n0"],
    });
    assert.equal(sink.names.length, 1);
  });
  it("lets one key that nobody takes stop no other, and names the first few such", async () => {
    const sink = sinkThat((name) => (Number(name.slice(1)) < 10 ? "dropped" : "delivered"));
    const { sent, failed, missed } = await sweep(keys(100), { ...options, sinks: [sink] });
    assert.deepEqual({ sent, failed }, { sent: 90, failed: 10 });
    assert.equal(missed.length, 5);
    for (const key of missed) assert.match(key, /^shop\/n\d$/u);
  });
  it("begins elsewhere each minute, so that a deadline does not always cut off the same keys", async () => {
    const minutes = [0, 1, 2, 3].map((minute) => minute * 60_000);
    const firsts = await Promise.all(minutes.map(firstAt));
    assert.equal(new Set(firsts).size, 4, firsts.join());
    assert.equal(await firstAt(30_000), firsts[0], "the same within a minute");
  });
  it("has nothing to do without keys", async () => {
    assert.deepEqual(await sweep([], { ...options, sinks: [] }), {
      sent: 0,
      failed: 0,
      missed: [],
    });
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
