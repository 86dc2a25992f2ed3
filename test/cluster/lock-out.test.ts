import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Hopeless, waitUntil } from "../support/cluster/wait-until.ts";
import { othersIn, othersOfCluster } from "./lock-out-others.ts";
import { SilentAdmission, breakGlass } from "./lock-out-scene.ts";

const SYSTEM = "sampledb-system";
const UNANSWERED = /failed calling webhook "mutate\.sampledb\.dev"/u;

const sampledb = (name: string, spec: object): object => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: "shop" },
  spec,
});

describe("while admission does not answer", () => {
  let scene: SilentAdmission;
  const patch = (name: string, body: object, ...more: readonly string[]): Promise<string> =>
    scene.kubectl("patch", "sdb", name, "-n", "shop", "--type=merge", "-p", JSON.stringify(body), ...more);
  /** How often the API server called our webhooks and evaluated our policies so far. */
  const calls = async (): Promise<readonly string[]> => {
    const text = await scene.kubectl("get", "--raw", "/metrics");
    const ours =
      /^apiserver_(?:admission_webhook|validating_admission_policy)\w*_(?:total|count)\{.*sampledb.*$/u;
    return text.split("\n").filter((line) => ours.test(line));
  };

  const isRefused = async (): Promise<true> => {
    await assert.rejects(patch("living", { spec: { paused: true } }, "--dry-run=server"), UNANSWERED);
    return true;
  };

  before(async () => {
    scene = await SilentAdmission.start();
    await scene.installCrds();
    await scene.makeSampleDBs();
    await scene.installFunctions(SYSTEM);
    await waitUntil(isRefused, { what: "the webhooks", timeoutMs: 120_000 });
  });
  after(() => scene.stop());

  it("a spec is neither created nor changed", async () => {
    await assert.rejects(patch("living", { spec: { paused: true } }), UNANSWERED);
    await assert.rejects(scene.apply(sampledb("new", {})), UNANSWERED);
  });

  it("every other kind is created, changed and deleted, in the functions' namespace too, and nobody is asked", async () => {
    const earlier = await calls();
    assert.notDeepEqual(earlier, []);
    for (const namespace of ["shop", SYSTEM, "kube-system"]) await scene.writeAll(othersIn(namespace));
    await scene.writeAll(othersOfCluster);
    // The policy about deletions of kinds looked at another's, and found that it is no business of its.
    assert.deepEqual(await calls(), earlier);
  });

  it("pods of the functions are made", async () => {
    const selector = ["-n", SYSTEM, "-l", "app.kubernetes.io/component=admission"];
    const names = async (): Promise<readonly string[]> =>
      (await scene.kubectl("get", "pods", ...selector, "-o", "name"))
        .split("\n")
        .filter((name) => name !== "");
    const made = async (): Promise<readonly string[] | undefined> => {
      const pods = await names();
      return pods.length === 2 ? pods : undefined;
    };
    const old = await waitUntil(made, { what: "the pods", timeoutMs: 300_000 });
    await scene.kubectl("delete", "pods", ...selector, "--wait=false");
    const anew = async (): Promise<true | undefined> => {
      const pods = await names();
      return (pods.length === 2 && pods.every((pod) => !old.includes(pod))) || undefined;
    };
    await waitUntil(anew, { what: "new pods", timeoutMs: 300_000 });
  });

  it("labels, others' finalizers and the status of a SampleDB are written", async () => {
    await patch("living", { metadata: { labels: { tier: "gold" }, annotations: { note: "x" } } });
    await patch("living", { metadata: { finalizers: ["sampledb.dev/retire", "shop.example.com/audit"] } });
    await patch("living", { metadata: { finalizers: ["sampledb.dev/retire"] } });
    await patch("living", { status: { version: "17" } }, "--subresource=status");
  });

  it("nonsense is refused by the CRD wherever it can be written at all", async () => {
    const nonsense = { status: { observedGeneration: "many" } };
    await assert.rejects(patch("living", nonsense, "--subresource=status"), /status\.observedGeneration/u);
    await assert.rejects(patch("ending", { spec: { version: "9.6" } }), /spec\.version: Unsupported value/u);
    await assert.rejects(patch("ending", { spec: { version: "16" } }), /cannot be changed after creation/u);
  });

  it("a protected SampleDB stays, and all others are deleted", async () => {
    await assert.rejects(scene.kubectl("delete", "sdb", "guarded", "-n", "shop"), /it is protected/u);
    await scene.kubectl("delete", "sdb", "living", "-n", "shop", "--wait=false");
    // Its function is not there: its finalizer is removed by hand.
    await patch("living", { metadata: { finalizers: null } });
    assert.equal((await scene.say("get", "sdb", "living", "-n", "shop")).ok, false);
  });

  it("the README's way out without admission lets SampleDBs be written by the CRD's rules alone", async () => {
    await scene.sh(breakGlass("without admission"));
    const made = (): Promise<string> =>
      scene.apply(sampledb("new", { version: "17" })).catch((cause: unknown) => {
        if (UNANSWERED.test(String(cause))) throw cause;
        throw new Hopeless(String(cause));
      });
    await waitUntil(made, { what: "the end of the webhooks", timeoutMs: 120_000 });
    await assert.rejects(
      scene.apply(sampledb("wrong", { version: "9.6" })),
      /spec\.version: Unsupported value/u,
    );
    await patch("guarded", { spec: { deletion: { protection: false } } });
    await scene.kubectl("delete", "sdb", "guarded", "-n", "shop", "--wait=false");
  });

  it("the README's way out without functions ends what waits for them", async () => {
    assert.match(
      await scene.kubectl("get", "sdb", "-n", "shop", "-o", "name"),
      /ending\n.*guarded\n.*new\n/u,
    );
    await scene.sh(breakGlass("without functions"));
    assert.equal(
      await scene.kubectl("get", "sdb", "-n", "shop", "-o", "name"),
      "sampledb.sampledb.dev/new\n",
    );
  });
});
