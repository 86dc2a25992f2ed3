import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ensureCertManager } from "../../support/cert-manager/ensure-cert-manager.ts";
import type { Build } from "../../support/builds/build.ts";
import { CHECKS } from "../../support/builds/checks/index.ts";
import { dryRunOn } from "../../support/builds/dry-run.ts";
import type { DryRun } from "../../support/builds/dry-run.ts";
import { FAMILIES, foldersOf } from "../../support/builds/families.ts";
import { forgottenBy } from "../../support/builds/kustomizations.ts";
import { PLANS } from "../../support/builds/plans.ts";
import { podOf } from "../../support/builds/pods.ts";
import { buildOf } from "../../support/builds/render-plan.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import type { Rendered } from "../../support/kustomize/render.ts";

/** There is no schema of it that may be copied: its two objects are held to stack.yaml. */
const WITHOUT_SCHEMA = new Set(["openfaas.com/v1"]);

/** Each different one once: builds have most in common. */
const distinct = (objects: readonly Rendered[]): readonly Rendered[] => [
  ...new Map(objects.map((object) => [JSON.stringify(object), object])).values(),
];

describe("every kustomization of manifests/, in every combination that is meant", () => {
  let cluster: LocalCluster;
  let dryRun: DryRun;
  const builds: Build[] = [];
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const create = (items: readonly object[]): Promise<string> =>
    kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));

  /** What pods need to be there before an API server takes them, in namespaces that enforce Pod Security restricted. */
  const prepare = async (): Promise<void> => {
    const namespaces = new Set(
      builds.flatMap(({ objects, made }) =>
        [...objects, ...made].flatMap(({ metadata }) => metadata.namespace ?? []),
      ),
    );
    const levels = ["enforce", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, "restricted"]);
    await create(
      [...namespaces].map((name) => ({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name, labels: Object.fromEntries(levels) },
      })),
    );
    await create(
      distinct(builds.flatMap(({ objects }) => objects.filter(({ kind }) => kind === "ServiceAccount"))),
    );
  };

  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(kubectl);
    await installKnativeCrds(kubectl);
    const { crds } = await ensureCertManager();
    await kubectl(["apply", "--server-side", ...crds.flatMap((file) => ["-f", file])]);
    await kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=300s"]);
    dryRun = await dryRunOn(cluster.kubeconfig);
    // Two at once: each is a process, and most of it is waiting.
    for (const [nth] of PLANS.entries())
      if (nth % 2 === 0)
        builds.push(...(await Promise.all(PLANS.slice(nth, nth + 2).map((plan) => buildOf(kubectl, plan)))));
    await prepare();
  });
  after(async () => {
    dryRun.close();
    await cluster.stop();
  });

  it("is in the table of builds", () => {
    assert.deepEqual(forgottenBy(FAMILIES.flatMap((family) => foldersOf(family))), []);
  });

  for (const [nth, { name }] of PLANS.entries()) {
    it(`is right: ${name}`, () => {
      const build = builds[nth];
      assert.ok(build !== undefined && build.objects.length > 0);
      assert.deepEqual(
        Object.values(CHECKS).flatMap((check) => check(build)),
        [],
      );
    });
  }

  it("is accepted by a real API server that is asked to be strict, and by the schemas of its platform, without a warning", async () => {
    const objects = distinct(builds.flatMap((build) => [...build.objects, ...build.made]));
    const judged = objects.filter(({ apiVersion }) => !WITHOUT_SCHEMA.has(apiVersion));
    assert.deepEqual((await Promise.all(judged.map((object) => dryRun.problemsOf(object)))).flat(), []);
  });

  it("makes pods that pass Pod Security restricted", async () => {
    const pods = distinct(builds.flatMap(({ workloads }) => workloads.map((workload) => podOf(workload))));
    assert.ok(pods.length > 0);
    assert.deepEqual((await Promise.all(pods.map((pod) => dryRun.problemsOf(pod)))).flat(), []);
  });
});
