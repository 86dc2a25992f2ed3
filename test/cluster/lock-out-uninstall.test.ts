import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { CRDS } from "../support/deploy/install-crds.ts";
import { SilentAdmission, breakGlass, readmeCommand } from "./lock-out-scene.ts";

const CONFIGURATIONS = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
const NO_OWNER = '{"metadata":{"ownerReferences":null}}';
const OURS = `clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings,${CONFIGURATIONS}`;

// Every two of the three stand in either order somewhere.
const ORDERS = [
  { order: ["namespace", "crds", "overlay"], isLeftOver: false },
  { order: ["crds", "overlay", "namespace"], isLeftOver: false },
  { order: ["overlay", "namespace", "crds"], isLeftOver: true },
] as const;

const soon = <T>(what: string, look: () => Promise<T | undefined>): Promise<T> =>
  waitUntil(look, { what, timeoutMs: 300_000 });

describe("uninstalling while no function runs", () => {
  let scene: SilentAdmission;
  before(async () => {
    scene = await SilentAdmission.start();
  });
  after(() => scene.stop());

  const editLiving = (): Promise<string> =>
    scene.kubectl("patch", "sdb", "living", "-n", "shop", "--type=merge", "-p", '{"spec":{"paused":true}}');
  const install = async (namespace: string): Promise<void> => {
    await scene.installCrds();
    await scene.makeSampleDBs();
    await scene.installFunctions(namespace);
    await soon("the webhooks", async () => {
      await assert.rejects(editLiving(), /failed calling webhook/u);
      return true;
    });
  };
  const isGone = async (...what: readonly string[]): Promise<true | undefined> =>
    (await scene.kubectl("get", "--ignore-not-found", "-o", "name", ...what)) === "" || undefined;
  const deleteOverlay = async (namespace: string): Promise<unknown> =>
    scene.on(["delete", "--ignore-not-found", "--wait=false"], await scene.overlay(namespace));
  /** As an administrator who is told why not, and looks it up. */
  const deleteCrds = async (): Promise<void> => {
    const act = ["delete", "--wait=false", "-k", CRDS];
    const { ok, text } = await scene.say(...act);
    if (ok) return;
    assert.match(text, /sampledb\.dev\/allow-delete is not true/u);
    await scene.sh(readmeCommand("kubectl annotate --overwrite -k manifests/crds"));
    await scene.kubectl(...act);
  };
  const steps = {
    overlay: deleteOverlay,
    crds: deleteCrds,
    namespace: (namespace: string): Promise<unknown> =>
      scene.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false"),
  };
  /** From here on the garbage collector has no reason to take the webhook configurations. */
  const disown = async (): Promise<void> => {
    for (const kind of CONFIGURATIONS.split(","))
      await scene.kubectl("patch", kind, "sampledb", "--type=merge", "-p", NO_OWNER);
  };
  const othersCanWrite = (): Promise<unknown> =>
    scene.writeAll([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "sweep", namespace: "shop" } }]);

  for (const [index, { order, isLeftOver }] of ORDERS.entries()) {
    const namespace = `functions-${index}`;
    const title = `${order.join(", ")}${isLeftOver ? ", webhook configurations left over" : ""}`;
    it(`leaves nothing stuck: ${title}`, async () => {
      await install(namespace);
      if (isLeftOver) await disown();
      for (const [number, step] of order.entries()) {
        await steps[step](namespace);
        await othersCanWrite();
        // Whatever went first, the functions are no more: so nobody is asked about what is left.
        if (number === 0 && step !== "crds") await soon("a changed spec", editLiving);
      }
      // Deleted with their kind, they wait for a function that will not come.
      assert.match(
        await scene.kubectl("get", "sdb", "-n", "shop", "-o", "name"),
        /ending\n.*guarded\n.*living/u,
      );
      await soon("their deletion", async () => {
        const path = "jsonpath={range .items[*]}{.metadata.deletionTimestamp}{'\\n'}{end}";
        const times = await scene.kubectl("get", "sdb", "-n", "shop", "-o", path);
        return times.trim().split("\n").length === 3 || undefined;
      });
      await scene.sh(breakGlass("without functions"));
      await soon("the end of the CRD", () => isGone("crd", "sampledbs.sampledb.dev"));
      if (isLeftOver) await scene.sh(breakGlass("without admission"));
      await soon("the end of the rest", () => isGone(OURS, "-l", "app.kubernetes.io/part-of=sampledb"));
    });
  }

  it("ends with the namespaces of the functions, and of the SampleDBs", async () => {
    await scene.kubectl("delete", "namespace", "shop", "--wait=false");
    const names = ["shop", ...ORDERS.map((_, index) => `functions-${index}`)];
    await soon("the end of the namespaces", () => isGone("namespaces", ...names));
  });
});
