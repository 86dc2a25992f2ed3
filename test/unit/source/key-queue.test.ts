import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KeyQueue } from "../../../functions/source/key-queue.ts";
import type { Delivery } from "../../../functions/shared/serve/delivery-of.ts";

const key = (name: string) => ({ namespace: "shop", name });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose deliveries and waits end when the test says so. */
const heldQueue = (concurrency: number, restMs = 0) => {
  const inFlight = new Map<string, (delivery: Delivery) => void>();
  const delivered: string[] = [];
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const queue = new KeyQueue({
    concurrency,
    restMs,
    backOffMs: (failures) => failures * 1000,
    deliver: ({ name }) => {
      assert.ok(!inFlight.has(name), "one key is never in flight twice");
      delivered.push(name);
      const { promise, resolve } = Promise.withResolvers<Delivery>();
      inFlight.set(name, resolve);
      return promise;
    },
    wait: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waits.push({ ms, end: resolve });
      return promise;
    },
  });
  const end = async (name: string, delivery: Delivery): Promise<void> => {
    const resolve = inFlight.get(name);
    inFlight.delete(name);
    resolve?.(delivery);
    await turn();
  };
  return { queue, delivered, waits, end };
};

describe("KeyQueue", () => {
  it("delivers several keys at once, up to its bound, in the order of their coming", async () => {
    const { queue, delivered, end } = heldQueue(2);
    for (const name of ["a", "b", "c", "d"]) queue.add(key(name));
    assert.deepEqual(delivered, ["a", "b"]);
    await end("b", "delivered");
    assert.deepEqual(delivered, ["a", "b", "c"]);
  });
  it("makes one delivery of all that happens while a key waits", async () => {
    const { queue, delivered, end } = heldQueue(1);
    queue.add(key("a"));
    for (let i = 0; i < 5; i += 1) queue.add(key("b"));
    await end("a", "delivered");
    await end("b", "delivered");
    assert.deepEqual(delivered, ["a", "b"]);
    assert.equal(queue.size, 0);
  });
  it("delivers once more what happened while the key was in flight", async () => {
    const { queue, delivered, end } = heldQueue(4);
    for (let i = 0; i < 5; i += 1) queue.add(key("a"));
    assert.deepEqual(delivered, ["a"]);
    await end("a", "delivered");
    assert.deepEqual(delivered, ["a", "a"]);
    await end("a", "delivered");
    assert.deepEqual(delivered, ["a", "a"]);
    assert.equal(queue.size, 0);
  });
  it("tries again for ever, each time later, and holds up no other key meanwhile", async () => {
    const { queue, delivered, waits, end } = heldQueue(1);
    queue.add(key("a"));
    queue.add(key("b"));
    await end("a", "again");
    assert.deepEqual(delivered, ["a", "b"]);
    await end("b", "delivered");
    waits[0]?.end();
    await turn();
    await end("a", "again");
    waits[1]?.end();
    await turn();
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [1000, 2000],
    );
    assert.deepEqual(delivered, ["a", "b", "a", "a"]);
  });
  it("does not try sooner because something happens while it backs off", async () => {
    const { queue, delivered, waits, end } = heldQueue(1);
    queue.add(key("a"));
    await end("a", "again");
    queue.add(key("a"));
    assert.deepEqual(delivered, ["a"]);
    waits[0]?.end();
    await turn();
    await end("a", "delivered");
    assert.deepEqual(delivered, ["a", "a"]);
    assert.equal(queue.size, 0);
  });
  it("lets a key rest after its delivery, and makes one delivery of all that happens meanwhile", async () => {
    const { queue, delivered, waits, end } = heldQueue(1, 100);
    queue.add(key("a"));
    queue.add(key("a"));
    await end("a", "delivered");
    for (let i = 0; i < 5; i += 1) queue.add(key("a"));
    // A key that rests takes no place from others.
    queue.add(key("b"));
    assert.deepEqual(delivered, ["a", "b"]);
    await end("b", "delivered");
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [100, 100],
    );
    for (const { end: over } of waits) over();
    await turn();
    assert.deepEqual(delivered, ["a", "b", "a"]);
    await end("a", "delivered");
    waits.at(-1)?.end();
    await turn();
    assert.equal(queue.size, 0);
    queue.add(key("a"));
    assert.deepEqual(delivered, ["a", "b", "a", "a"]);
  });
  it("is not put off by what happens again and again: a rest is as long as it is", async () => {
    const { queue, delivered, waits, end } = heldQueue(1, 100);
    queue.add(key("a"));
    for (let round = 1; round <= 3; round += 1) {
      await end("a", "delivered");
      for (let i = 0; i < 10; i += 1) queue.add(key("a"));
      assert.equal(waits.length, round);
      waits.at(-1)?.end();
      await turn();
    }
    assert.equal(delivered.length, 4);
  });
  it("forgets what is dropped", async () => {
    const { queue, delivered, end } = heldQueue(1);
    queue.add(key("a"));
    await end("a", "dropped");
    assert.deepEqual(delivered, ["a"]);
    assert.equal(queue.size, 0);
  });
  it("keeps no more than one entry a key", () => {
    const { queue } = heldQueue(3);
    for (let i = 0; i < 1000; i += 1) queue.add(key(`n${i % 10}`));
    assert.equal(queue.size, 10);
  });
  it("tries one key at a time, with growing pauses, once many keys failed in a row, and all at once when one is taken", async () => {
    const { queue, delivered, waits, end } = heldQueue(4);
    for (let i = 0; i < 20; i += 1) queue.add(key(`n${i}`));
    for (let i = 0; i < 8; i += 1) await end(`n${i}`, "again");
    // Of those that were in flight when it was found, nothing more follows but a probe.
    for (let i = 8; i < 11; i += 1) await end(`n${i}`, "again");
    const [probe = "", ...others] = delivered.slice(11);
    assert.deepEqual([probe, others], ["n11", []]);
    await end(probe, "again");
    assert.deepEqual(delivered.slice(12), []);
    const pauses = waits.filter(({ ms }) => ms !== 1000);
    waits.at(-1)?.end();
    await turn();
    assert.deepEqual(delivered.slice(12), ["n12"]);
    await end("n12", "again");
    assert.ok(
      waits.every(({ ms }) => ms <= 2000),
      JSON.stringify(pauses),
    );
    waits.at(-1)?.end();
    await turn();
    await end("n13", "delivered");
    assert.deepEqual(delivered.slice(14), ["n14", "n15", "n16", "n17"]);
  });
  it("does not take many failures of few keys for the sink's", async () => {
    const { queue, delivered, waits, end } = heldQueue(4);
    queue.add(key("a"));
    for (let i = 0; i < 20; i += 1) {
      await end("a", "again");
      waits.at(-1)?.end();
      await turn();
    }
    for (const name of ["b", "c", "d"]) queue.add(key(name));
    assert.deepEqual(delivered.slice(-3), ["b", "c", "d"]);
  });
  it("ends what is in flight and starts nothing when it is stopped", async () => {
    const { queue, delivered, end } = heldQueue(1);
    queue.add(key("a"));
    queue.add(key("b"));
    const stopping = queue.stop();
    assert.equal(await Promise.race([stopping, turn().then(() => "still in flight")]), "still in flight");
    await end("a", "delivered");
    await stopping;
    assert.deepEqual(delivered, ["a"]);
  });
});
