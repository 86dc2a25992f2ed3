import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { servedNamespaces } from "../../../functions/source/served-namespaces.ts";

const heard = () => {
  const told: string[] = [];
  const { has, listener } = servedNamespaces((namespace) => told.push(namespace));
  const list = (...names: readonly string[]): void => {
    listener.onListing(true);
    for (const name of names) listener.onItem({ name }, "listed");
    listener.onListed();
  };
  return { told, has, listener, list };
};

describe("the namespaces that source looks after", () => {
  it("are those listed, each told once", () => {
    const { told, has, list } = heard();
    list("shop", "bank");
    assert.deepEqual(told, ["shop", "bank"]);
    assert.deepEqual(["shop", "bank", "post"].map(has), [true, true, false]);
  });

  it("grow by one that is labelled, which is told, and shrink by one that no longer is", () => {
    const { told, has, listener, list } = heard();
    list("shop");
    listener.onItem({ name: "bank" }, "changed");
    listener.onItem({ name: "bank" }, "changed");
    assert.deepEqual(told, ["shop", "bank"]);
    listener.onItem({ name: "shop" }, "gone");
    assert.deepEqual(["shop", "bank"].map(has), [false, true]);
    listener.onItem({ name: "shop" }, "changed");
    assert.deepEqual(told, ["shop", "bank", "shop"]);
  });

  it("are those of the next list after a gap, where the new ones are told", () => {
    const { told, has, list } = heard();
    list("shop", "bank");
    list("bank", "post");
    assert.deepEqual(told, ["shop", "bank", "post"]);
    assert.deepEqual(["shop", "bank", "post"].map(has), [false, true, true]);
  });

  it("stay what they were while a list is read, or where it breaks off", () => {
    const { has, listener, list } = heard();
    list("shop");
    listener.onListing(false);
    assert.equal(has("shop"), true);
    listener.onItem({ name: "bank" }, "listed");
    listener.onListing(false);
    assert.deepEqual(["shop", "bank"].map(has), [true, true]);
    listener.onItem({ name: "shop" }, "listed");
    listener.onListed();
    assert.deepEqual(["shop", "bank"].map(has), [true, false]);
  });

  it("are known once a list was read to its end", async () => {
    const { listed, listener } = servedNamespaces(() => undefined);
    const first = (): Promise<unknown> =>
      Promise.race([listed.then(() => "listed"), Promise.resolve("not yet")]);
    listener.onListing(true);
    listener.onItem({ name: "shop" }, "listed");
    assert.equal(await first(), "not yet");
    listener.onListed();
    await listed;
  });
});
