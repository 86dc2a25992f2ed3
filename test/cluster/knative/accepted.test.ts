import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import { apiServerSources, knativeServices } from "../../support/knative/knative-objects.ts";
import { podOfService } from "../../support/knative/pods.ts";
import { renderElsewhere } from "../../support/knative/render-elsewhere.ts";
import { objectsOf, render } from "../../support/kustomize/render.ts";
import type { Rendered } from "../../support/kustomize/render.ts";

const OVERLAY = "overlays/knative";
const SYSTEM = "sampledb-system";

describe("the overlay for Knative, on a real API server with Knative's schemas", () => {
  let cluster: LocalCluster;
  let text = "";
  let objects: readonly Rendered[] = [];
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (what: string, ...more: string[]): Promise<string> =>
    kubectl(["apply", "--validate=strict", ...more, "-f", "-"], what);

  const can = async (account: string, verb: string, resource: string): Promise<boolean> => {
    const as = `--as=system:serviceaccount:${SYSTEM}:${account}`;
    const answer = await kubectl(["auth", "can-i", verb, resource, "-A", as]).catch(() => "no");
    return answer.trim() === "yes";
  };

  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(cluster.kubectl);
    await installKnativeCrds(cluster.kubectl);
    for (const namespace of ["kourier-system", "databases"])
      await kubectl(["create", "namespace", namespace]);
    text = await render(kubectl, OVERLAY);
    objects = objectsOf(text);
  });
  after(() => cluster.stop());

  it("is accepted whole, without a warning, and applied again changes nothing", async () => {
    const answer = await apply(text);
    assert.equal(answer.trim().split("\n").length, objects.length);
    assert.doesNotMatch(answer, /Warning/u);
    const path = "{range .items[*]}{.kind} {.metadata.name} {.metadata.generation}{'\\n'}{end}";
    const generations = (): Promise<string> => kubectl(["get", "-f", "-", "-o", `jsonpath=${path}`], text);
    const first = await generations();
    assert.equal(first.trim().split("\n").length, objects.length);
    await apply(text);
    assert.equal(await generations(), first);
  });

  it("is judged by the schemas: a word that Knative does not know is refused", async () => {
    for (const [good, bad] of [
      ["containerConcurrency:", "containerConcurency:"],
      ["namespaceSelector:", "namespacesSelector:"],
      ["secretName: sampledb-admission-tls", "secret: sampledb-admission-tls"],
      ["schedule:", "scheduled:"],
    ] as const) {
      const one = text.split("\n---\n").find((object) => object.includes(good));
      assert.ok(one !== undefined, good);
      const refused = apply(one.replaceAll(good, bad), "--dry-run=server");
      await assert.rejects(refused, (error) => String(error).includes(bad.split(":")[0] ?? bad));
    }
  });

  it("is accepted with its own TLS, and in another namespace", async () => {
    // What a Job runs cannot be changed; this one removes itself when it is done.
    await kubectl(["delete", "job", "-n", SYSTEM, "certify-install"]);
    for (const other of [
      await render(kubectl, `${OVERLAY}/own-tls`),
      await renderElsewhere(kubectl, "databases"),
    ]) {
      const answer = await apply(other, "--dry-run=server");
      assert.equal(answer.trim().split("\n").length, objectsOf(other).length);
      assert.doesNotMatch(answer, /Warning/u);
    }
  });

  it("has pods that pass Pod Security restricted, which its namespace enforces", async () => {
    const pods = knativeServices(objects).map((service) => podOfService(service));
    assert.equal(pods.length, 4);
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: pods });
    const made = (): Promise<string> => apply(list, "--dry-run=server");
    // Once the controller manager has made the namespace's accounts.
    const answer = await waitUntil(made, { what: "the accounts", timeoutMs: 300_000 });
    assert.equal(answer.trim().split("\n").length, pods.length);
    const loose = list.replaceAll('"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true');
    await assert.rejects(apply(loose, "--dry-run=server"), /violates PodSecurity/u);
  });

  it("lets each adapter get, list and watch what its source names in every namespace, and write nothing", async () => {
    for (const { spec } of apiServerSources(objects))
      for (const { apiVersion, kind } of spec.resources) {
        const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
        const resource = `${kind.toLowerCase()}s${group}`;
        for (const verb of ["get", "list", "watch"]) {
          const may = async (): Promise<true | undefined> =>
            (await can(spec.serviceAccountName, verb, resource)) || undefined;
          await waitUntil(may, {
            what: `${spec.serviceAccountName} to ${verb} ${resource}`,
            timeoutMs: 300_000,
          });
        }
        for (const verb of ["create", "patch", "delete"])
          assert.equal(await can(spec.serviceAccountName, verb, resource), false, `${verb} ${resource}`);
      }
    assert.equal(await can("knative-objects", "get", "secrets"), false);
    assert.equal(await can("knative-references", "get", "pods"), false);
  });
});
