import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { once } from "../../../functions/source/once.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("once", () => {
  it("works once for all who ask before, and again for who asks afterwards", async () => {
    const waits: (() => void)[] = [];
    let works = 0;
    const ask = once(
      () => (works += 1),
      () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        waits.push(resolve);
        return promise;
      },
    );
    ask();
    ask();
    await turn();
    assert.deepEqual([waits.length, works], [1, 0]);
    waits[0]?.();
    await turn();
    assert.equal(works, 1);
    ask();
    waits[1]?.();
    await turn();
    assert.equal(works, 2);
  });
});
