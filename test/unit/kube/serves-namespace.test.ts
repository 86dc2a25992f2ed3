import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { releaseFrom } from "../../../functions/shared/api/release.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import { pass } from "../../../functions/shared/kube/pass.ts";
import { servesNamespace } from "../../../functions/shared/kube/serves-namespace.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { forbidden, plans } from "./pass-scene.ts";

const { signal } = new AbortController();

/** The release blue on an API server whose namespaces name these releases, and a clock that moves when it is told. */
const blueWith = (releases: Record<string, string>) => {
  const release = releaseFrom({ NAMESPACE_SELECTOR: "sampledb.dev/release=blue" });
  assert.ok(release !== undefined);
  const paths: string[] = [];
  const call = (path: string): string => {
    paths.push(path);
    const value = releases[path.split("/").at(-1) ?? ""];
    if (value === undefined) throw new Fault("refused", "not found", { code: 404, reason: "NotFound" });
    return JSON.stringify({ metadata: { labels: { "sampledb.dev/release": value } } });
  };
  const api: ApiServer = {
    call: ({ path }) => Promise.resolve().then(() => call(path)),
    stream: () => Promise.reject(new Error("nothing is watched")),
    close: () => undefined,
  };
  let time = 0;
  const serves = servesNamespace(api, release, () => time);
  const wait = (ms: number): void => {
    time += ms;
  };
  return { serves: (namespace: string) => serves(namespace, signal), paths, wait };
};

describe("whether a namespace is this release's", () => {
  it("is read of the namespace itself", async () => {
    const { serves, paths } = blueWith({ shop: "blue", bank: "green" });
    assert.equal(await serves("shop"), true);
    assert.equal(await serves("bank"), false);
    assert.deepEqual(paths, ["/api/v1/namespaces/shop", "/api/v1/namespaces/bank"]);
  });

  it("is no for one that is gone", async () => {
    assert.equal(await blueWith({}).serves("shop"), false);
  });

  it("is read once for a burst, and again soon after", async () => {
    const { serves, paths, wait } = blueWith({ shop: "blue" });
    for (let event = 0; event < 50; event += 1) {
      assert.equal(await serves("shop"), true);
      wait(20);
    }
    assert.equal(paths.length, 1);
    wait(2000);
    await serves("shop");
    assert.equal(paths.length, 2);
  });

  it("is never no for longer than the label says so: an event may come right behind it", async () => {
    const releases = { shop: "green" };
    const { serves } = blueWith(releases);
    assert.equal(await serves("shop"), false);
    releases.shop = "blue";
    assert.equal(await serves("shop"), true);
  });

  it("is no soon after another release is named", async () => {
    const releases = { shop: "blue" };
    const { serves, wait } = blueWith(releases);
    assert.equal(await serves("shop"), true);
    releases.shop = "green";
    wait(2000);
    assert.equal(await serves("shop"), false);
  });
});

const run = async (serves: (() => Promise<boolean>) | undefined) => {
  const cluster = fakeCluster({});
  const notes: string[] = [];
  const options = {
    clusterUntil: () => cluster,
    functions: [plans("provision")],
    serves,
    catalog: () => BUILT_IN_CATALOG,
    tell: ({ note }: { readonly note: string }) => void notes.push(note),
  };
  return {
    outcome: await pass(options, { namespace: "shop", name: "orders" }),
    calls: cluster.calls,
    notes,
  };
};

describe("a pass in a namespace", () => {
  it("of another release asks for nothing and writes nothing", async () => {
    const { outcome, calls, notes } = await run(() => Promise.resolve(false));
    assert.deepEqual({ outcome, calls, notes }, { outcome: "not-ours", calls: [], notes: [] });
  });

  it("of this release, or where there is one alone, is a pass", async () => {
    const ours = await run(() => Promise.resolve(true));
    assert.equal(ours.outcome, "settled");
    assert.notEqual(ours.calls.length, 0);
    assert.deepEqual((await run(undefined)).calls, ours.calls);
  });

  it("that may not be read is told, and left alone", async () => {
    const { outcome, calls, notes } = await run(() => Promise.reject(forbidden()));
    assert.deepEqual({ outcome, calls, notes }, { outcome: "unreadable", calls: [], notes: ["cut-short"] });
  });

  it("that cannot be read now is delivered again", async () => {
    const down = new Fault("unavailable", "down");
    await assert.rejects(
      run(() => Promise.reject(down)),
      down,
    );
  });
});
