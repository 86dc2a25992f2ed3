import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { assertAppliedAgainChangesNothing } from "../support/kustomize/applied-again.ts";
import { objectsIn } from "../../deploy/shared/rendered.ts";
import { render } from "../support/kustomize/render.ts";
import { installCrds } from "../support/deploy/install-crds.ts";

const OVERLAY = "overlays/kubernetes";
const ORDERS = {
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name: "orders", namespace: "default" },
  spec: { version: "17" },
};

describe("manifests on a real API server", () => {
  let cluster: LocalCluster;
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (text: string, ...more: string[]): Promise<string> =>
    kubectl(["apply", ...more, "-f", "-"], text);

  const createOrders = (): Promise<string> => apply(JSON.stringify(ORDERS));

  before(async () => {
    cluster = await startCluster({ level: "api" });
    await installCrds(kubectl);
  });
  after(() => cluster.stop());

  /** A quota on limits: from here on a pod without them is refused in the functions' namespace. */
  const demandLimits = async (): Promise<void> => {
    const system = ["-n", "sampledb-system"];
    await kubectl(["create", "namespace", "sampledb-system"]);
    await kubectl(["create", "quota", "all", ...system, "--hard=limits.cpu=99,limits.memory=99Gi"]);
    await kubectl(["wait", "quota/all", ...system, "--for=jsonpath={.status.hard}", "--timeout=300s"]);
  };

  it("are accepted whole, and applied again change nothing", async () => {
    const text = await render(kubectl, OVERLAY);
    await demandLimits();
    await assertAppliedAgainChangesNothing(text, { kubectl, apply });
  });

  it("make pods that pass Pod Security restricted and have requests and limits", async () => {
    const components = async (): Promise<true | undefined> => {
      const path = "{range .items[*]}{.metadata.labels.app\\.kubernetes\\.io/component}{'\\n'}{end}";
      const found = await kubectl(["get", "pods", "-n", "sampledb-system", "-o", `jsonpath=${path}`]);
      // The CronJobs' own ticks may have made pods as well.
      const running = new Set(found.trim().split("\n"));
      return ["admission", "certify", "reconcile", "source"].every((name) => running.has(name)) || undefined;
    };
    await waitUntil(components, { what: "a pod of each Deployment and of the Job", timeoutMs: 300_000 });
    await kubectl(["create", "job", "-n", "sampledb-system", "--from=cronjob/resync", "resync-now"]);
    const made = async (): Promise<true | undefined> => {
      const found = await kubectl([
        "get",
        "pods",
        "-n",
        "sampledb-system",
        "-l",
        "job-name=resync-now",
        "-o",
        "name",
      ]);
      return found === "" ? undefined : true;
    };
    await waitUntil(made, { what: "a pod of resync", timeoutMs: 300_000 });
  });

  it("let one SampleDB be visited by hand, as the README tells", async () => {
    const readme = await readFile(new URL("../../manifests/README.md", import.meta.url), "utf8");
    const pipe = readme.split("\n").find((line) => line.includes("SCOPE=shop/orders")) ?? "";
    let text: string | undefined;
    for (const command of pipe.split(" | ")) text = await kubectl(command.split(" ").slice(1), text);
    const env = "jsonpath={.spec.template.spec.containers[0].env[?(@.name=='SCOPE')].value}";
    const job = ["get", "job", "-n", "sampledb-system", "resync-orders", "-o", env];
    assert.equal(await kubectl(job), "shop/orders");
  });

  it("refuse a SampleDB with one sentence until certify has run", async () => {
    const says = /sampledb-install.*SampleDB is still being installed: create it again once/su;
    const refused = async (): Promise<true> => {
      await assert.rejects(apply(JSON.stringify(ORDERS), "--dry-run=server"), says);
      return true;
    };
    await waitUntil(refused, { what: "the install policy", timeoutMs: 300_000 });
    await assert.rejects(createOrders(), says);
  });

  it("leave every SampleDB when the overlay is deleted", async () => {
    await kubectl(["delete", "validatingadmissionpolicybinding", "sampledb-install"]);
    await waitUntil(createOrders, { what: "the end of the install policy", timeoutMs: 300_000 });
    await kubectl(
      ["delete", "--wait=false", "--ignore-not-found", "-f", "-"],
      await render(kubectl, OVERLAY),
    );
    const gone = async (): Promise<true> => {
      await assert.rejects(kubectl(["get", "clusterrole", "sampledb-certify"]), /not found/u);
      await assert.rejects(
        kubectl(["get", "deployment", "-n", "sampledb-system", "reconcile"]),
        /not found/u,
      );
      return true;
    };
    await waitUntil(gone, { what: "the end of the overlay", timeoutMs: 300_000 });
    const kept = await kubectl(["get", "sampledb", "orders", "-o", "jsonpath={.metadata.deletionTimestamp}"]);
    assert.equal(kept, "");
  });

  it("let viewers of a namespace read its SampleDBs, and editors change them", async () => {
    const userRoles = objectsIn(await render(kubectl, OVERLAY)).filter(({ metadata }) =>
      Object.keys(metadata.labels ?? {}).some((label) => label.includes("/aggregate-to-")),
    );
    for (const role of userRoles) await apply(JSON.stringify(role));
    const can = async (role: string, verb: string): Promise<boolean> => {
      const answer = await kubectl(["auth", "can-i", verb, "sampledbs.sampledb.dev", `--as=${role}`]).catch(
        () => "no",
      );
      return answer.trim() === "yes";
    };
    for (const role of ["view", "edit"])
      await kubectl(["create", "rolebinding", role, `--clusterrole=${role}`, `--user=${role}`]);
    const rights = [
      ["view", "get"],
      ["edit", "create"],
      ["edit", "deletecollection"],
    ] as const;
    for (const [role, verb] of rights) {
      const aggregated = async (): Promise<true | undefined> => (await can(role, verb)) || undefined;
      await waitUntil(aggregated, { what: `the right of ${role} to ${verb}`, timeoutMs: 300_000 });
    }
    assert.equal(await can("view", "create"), false);
  });
});
