import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyText } from "../../../functions/shared/api/key.ts";
import type { Key } from "../../../functions/shared/api/key.ts";
import { oneAtATime } from "../../../functions/shared/kube/one-at-a-time.ts";

const orders = { namespace: "shop", name: "orders" };
const users = { namespace: "shop", name: "users" };

/** Runs that end when the test says so. */
const heldRuns = () => {
  const started: { readonly id: string; readonly end: PromiseWithResolvers<string> }[] = [];
  const run = (key: Key): Promise<string> => {
    const end = Promise.withResolvers<string>();
    started.push({ id: keyText(key), end });
    return end.promise;
  };
  return { started, run: oneAtATime(run) };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("oneAtATime", () => {
  it("lets two keys run at once", () => {
    const { started, run } = heldRuns();
    void run(orders);
    void run(users);
    assert.deepEqual(
      started.map(({ id }) => id),
      ["shop/orders", "shop/users"],
    );
  });
  it("answers all calls that come during a run by one run that begins after it", async () => {
    const { started, run } = heldRuns();
    const first = run(orders);
    const [second, third] = [run(orders), run(orders)];
    assert.equal(started.length, 1);
    started[0]?.end.resolve("first");
    assert.equal(await first, "first");
    await turn();
    assert.equal(started.length, 2);
    started[1]?.end.resolve("second");
    assert.deepEqual(await Promise.all([second, third]), ["second", "second"]);
  });
  it("goes on after a run that failed", async () => {
    const { started, run } = heldRuns();
    const first = run(orders);
    const second = run(orders);
    started[0]?.end.reject(new Error("no"));
    await assert.rejects(first, /no/u);
    await turn();
    started[1]?.end.resolve("yes");
    assert.equal(await second, "yes");
  });
});
