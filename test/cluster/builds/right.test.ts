import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { accountKubeconfig } from "../../support/account-kubeconfig.ts";
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
import { isBinding, isRole, rightsOfAccount } from "../../support/builds/rules.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { accessChecked, adapterAsks } from "../../support/knative/adapter.ts";
import { apiServerSources } from "../../support/knative/knative-objects.ts";
import { rightsUsed } from "../../support/kustomize/rights-used.ts";
import { plainApi } from "../../support/plain-api.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";

/** There is no schema of it that may be copied: its two objects are held to stack.yaml. */
const WITHOUT_SCHEMA = new Set(["openfaas.com/v1"]);

/** Of each kind that a schema of a platform judges, a word and one that it does not know. */
const WORDS = [
  ["serving.knative.dev/v1 Service", "containerConcurrency", "containerConcurency"],
  ["ApiServerSource", "namespaceSelector", "namespacesSelector"],
  ["PingSource", "schedule", "scheduled"],
  ["ContainerSource", "template", "podTemplate"],
  ["DomainMapping", "secretName", "secret"],
  ["ClusterDomainClaim", "namespace", "nameSpace"],
  ["Ingress", "rewriteHost", "rewritesHost"],
  ["Broker", "config", "configuration"],
  ["Trigger", "subscriber", "subscribers"],
  ["Certificate", "dnsNames", "dnsName"],
  ["Issuer", "selfSigned", "signed"],
  ["Deployment", "securityContext", "securityContexts"],
  ["NetworkPolicy", "podSelector", "podSelectors"],
] as const;
const LOOSER = [
  ['"runAsNonRoot":true', '"runAsNonRoot":false'],
  ['"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true'],
  ['"type":"RuntimeDefault"', '"type":"Unconfined"'],
] as const;

/** Each different one once: builds have most in common. */
const distinct = (objects: readonly KubeObject[]): readonly KubeObject[] => [
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
    cluster = await startCluster({ level: "api" });
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

  it("has words that the schemas know: another is refused", async () => {
    const objects = builds.flatMap((build) => build.objects);
    for (const [kind, good, bad] of WORDS) {
      const one = objects.find(
        (object) =>
          `${object.apiVersion} ${object.kind}`.endsWith(kind) &&
          JSON.stringify(object).includes(`"${good}":`),
      );
      assert.ok(one !== undefined, `${kind} ${good}`);
      const wrong: KubeObject = JSON.parse(JSON.stringify(one).replaceAll(`"${good}":`, `"${bad}":`));
      assert.match((await dryRun.problemsOf(wrong)).join("\n"), new RegExp(bad, "u"), `${kind} ${bad}`);
    }
  });

  it("has pods that Pod Security lets through for what they say: a looser one is refused", async () => {
    const workload = builds
      .flatMap(({ workloads }) => workloads)
      .find(({ kind }) => kind === "ContainerSource");
    assert.ok(workload !== undefined);
    for (const [good, bad] of LOOSER) {
      const text = JSON.stringify(podOf(workload));
      assert.ok(text.includes(good), good);
      const wrong: KubeObject = JSON.parse(text.replaceAll(good, bad));
      assert.match((await dryRun.problemsOf(wrong)).join("\n"), /violates PodSecurity/u);
    }
  });

  it("refuses Knative's sources nothing, and grants them nothing that Knative does not ask for", async () => {
    const build = builds.find(({ name }) => name === "Knative + snapshots");
    assert.ok(build !== undefined);
    await create(build.objects.filter((object) => isRole(object) || isBinding(object)));
    const api = await plainApi(cluster.kubeconfig, 4);
    const folder = await mkdtemp(join(tmpdir(), "sampledb-adapters-"));
    const sources = apiServerSources(build.objects);
    assert.equal(sources.length, 3);
    for (const source of sources) {
      const account = source.spec.serviceAccountName;
      const granted: readonly string[] = [
        ...new Set(rightsOfAccount(build, account).map((each) => each.replace(/ [^/]*\/(\S+) .*/u, " $1"))),
      ];
      const checked = await waitUntil(
        async () => {
          const allowed = await accessChecked(source, api);
          return allowed.length === 3 * source.spec.resources.length ? allowed : undefined;
        },
        { what: `the rights of ${account}`, timeoutMs: 300_000 },
      );
      const file = join(folder, account);
      await writeFile(file, await accountKubeconfig(kubectl, account, build.namespace));
      const statuses = await adapterAsks(source, file);
      // The snapshots' CRD is not there.
      assert.deepEqual([...new Set(statuses)], [account === "knative-snapshots" ? 404 : 200]);
      const { used, forbidden } = await rightsUsed(cluster.auditLogFile, account);
      assert.deepEqual(forbidden, []);
      assert.equal(used.length, 2 * source.spec.resources.length);
      assert.deepEqual([...new Set([...used, ...checked])].toSorted(), granted.toSorted());
    }
    api.close();
    await rm(folder, { recursive: true });
  });
});
