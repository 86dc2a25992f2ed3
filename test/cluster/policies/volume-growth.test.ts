import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Said } from "../admission-scene.ts";
import { PolicyScene } from "./scene.ts";

const storageClass = (name: string, allowVolumeExpansion?: boolean): object => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name },
  provisioner: "example.com/none",
  ...(allowVolumeExpansion === undefined ? {} : { allowVolumeExpansion }),
});

describe("a larger spec.storage.size", () => {
  let scene: PolicyScene;
  const sized = (name: string, storage: object): Promise<void> =>
    scene.apply({
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name, namespace: "shop" },
      spec: { storage },
    });
  const grow = (name: string, size: unknown, ...more: readonly string[]): Promise<Said> => {
    const patch = JSON.stringify({ spec: { storage: { size } } });
    return scene.say("patch", "sdb", name, "-n", "shop", "--type=merge", "-p", patch, ...more);
  };
  /** What `report` writes of the volume. */
  const onVolume = (name: string, storageClassName: string): Promise<string> => {
    const status = { storage: { claim: `${name}-1-1`, storageClassName } };
    const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    return scene.cluster.kubectl(["patch", "sdb", name, "-n", "shop", ...patch]);
  };

  before(async () => {
    scene = await PolicyScene.start("base/policies/volume-growth.yaml");
    await scene.sampledb("shop", "unnamed");
    await scene.apply(storageClass("grows", true), storageClass("stays"), storageClass("refuses", false));
    await sized("fixed", { size: "1Gi", storageClassName: "stays" });
    const patch = ["--type=merge", "-p", '{"spec":{"storage":{"size":"2Gi"}}}'];
    await scene.untilTried(true, "patch", "sdb", "fixed", "-n", "shop", ...patch);
  });
  after(() => scene.stop());

  for (const name of ["stays", "refuses"])
    it(`is refused where the class does not allow it: ${name}`, async () => {
      await sized(`on-${name}`, { size: "1Gi", storageClassName: name });
      const { ok, text } = await grow(`on-${name}`, "2Gi");
      assert.equal(ok, false);
      assert.match(
        text,
        new RegExp(`spec\\.storage\\.size: 2Gi: StorageClass ${name} does not allow .*: keep 1Gi`, "u"),
      );
    });

  it("is allowed where the class does", async () => {
    await sized("growing", { size: "1Gi", storageClassName: "grows" });
    assert.ok((await grow("growing", "1.5Gi")).ok);
    assert.ok((await grow("growing", 2_147_483_648)).ok);
  });

  it("is judged by the class of the volume, where spec names none", async () => {
    await sized("unnamed", { size: "1Gi" });
    assert.ok((await grow("unnamed", "2Gi")).ok, "no volume is known yet");
    await onVolume("unnamed", "stays");
    assert.match((await grow("unnamed", "3Gi")).text, /StorageClass stays does not allow/u);
    await onVolume("unnamed", "grows");
    assert.ok((await grow("unnamed", "3Gi")).ok);
    await onVolume("unnamed", "gone");
    assert.ok((await grow("unnamed", "4Gi")).ok);
  });

  it("is the only change that is judged: the same bytes in other words, and other fields, pass", async () => {
    assert.ok((await grow("fixed", "1024Mi")).ok);
    assert.ok((await scene.say("label", "sdb", "fixed", "-n", "shop", "example.com/a=b")).ok);
    const paused = await scene.say(
      "patch",
      "sdb",
      "fixed",
      "-n",
      "shop",
      "--type=merge",
      "-p",
      '{"spec":{"paused":true}}',
    );
    assert.ok(paused.ok, paused.text);
  });

  it("passes as soon as the class allows it", async () => {
    await scene.cluster.kubectl([
      "patch",
      "sc",
      "stays",
      "--type=merge",
      "-p",
      '{"allowVolumeExpansion":true}',
    ]);
    const patch = ["--type=merge", "-p", '{"spec":{"storage":{"size":"2Gi"}}}'];
    await scene.untilTried(false, "patch", "sdb", "fixed", "-n", "shop", ...patch);
    assert.ok((await grow("fixed", "2Gi")).ok);
  });
});
