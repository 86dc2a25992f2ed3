import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ensureCertManager } from "../../support/cert-manager/ensure-cert-manager.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import { containerSourceOf, knativeServices } from "../../support/knative/knative-objects.ts";
import { podOfContainerSource, podOfService } from "../../support/knative/pods.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { objectsOf } from "../../support/kustomize/render.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";

const OVERLAY = "overlays/knative";
const SYSTEM = "sampledb-system";
const ALL = ["container-source", "internal-ingress", "cert-manager", "snapshots", "oidc"];

describe("the components of the overlay for Knative, on a real API server with the schemas of Knative and cert-manager", () => {
  let cluster: LocalCluster;
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const rendered = (...components: readonly string[]): Promise<string> =>
    renderComponents(kubectl, OVERLAY, components);
  const apply = (what: string, ...more: string[]): Promise<string> =>
    kubectl(["apply", "--validate=strict", ...more, "-f", "-"], what);
  const can = async (account: string, verb: string, resource: string): Promise<boolean> => {
    const as = `--as=system:serviceaccount:${SYSTEM}:${account}`;
    const answer = await kubectl(["auth", "can-i", verb, resource, "-A", as]).catch(() => "no");
    return answer.trim() === "yes";
  };

  before(async () => {
    const { crds } = await ensureCertManager();
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(cluster.kubectl);
    await installKnativeCrds(cluster.kubectl);
    await kubectl(["create", ...crds.flatMap((file) => ["-f", file])]);
    await kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=300s"]);
    for (const namespace of ["kourier-system", SYSTEM]) await kubectl(["create", "namespace", namespace]);
  });
  after(() => cluster.stop());

  it("are accepted, without a warning of the API server", async () => {
    // In the second, Knative's sources are still there, with audiences.
    for (const components of [ALL, ["snapshots", "oidc"]]) {
      const text = await rendered(...components);
      const answer = await apply(text, "--dry-run=server");
      assert.equal(answer.trim().split("\n").length, objectsOf(text).length, components.join(" "));
      assert.doesNotMatch(answer, /Warning/u);
    }
  });

  it("are judged by the schemas: a word that these do not know is refused", async () => {
    const text = await rendered(...ALL);
    for (const [kind, good, bad] of [
      ["Ingress", "visibility:", "visible:"],
      ["Ingress", "rewriteHost:", "rewritesHost:"],
      ["ContainerSource", "template:", "podTemplate:"],
      ["ContainerSource", "sink:", "sinks:"],
      ["ApiServerSource", "audience:", "audiences:"],
      ["PingSource", "audience:", "audiences:"],
      ["Certificate", "dnsNames:", "dnsName:"],
    ] as const) {
      const isOfKind = (object: string): boolean => new RegExp(`^kind: ${kind}$`, "mu").test(object);
      const one = text.split("\n---\n").find((object) => isOfKind(object) && object.includes(good));
      assert.ok(one !== undefined, `${kind} ${good}`);
      const refused = apply(one.replaceAll(good, bad), "--dry-run=server");
      await assert.rejects(refused, (error) => String(error).includes(bad.slice(0, -1)), `${kind} ${bad}`);
    }
  });

  it("applied whole and again change nothing, and no account may do more than its component says", async () => {
    const text = await rendered("container-source", "internal-ingress", "snapshots", "oidc");
    await apply(text);
    const path = "{range .items[*]}{.kind} {.metadata.name} {.metadata.generation}{'\\n'}{end}";
    const generations = (): Promise<string> => kubectl(["get", "-f", "-", "-o", `jsonpath=${path}`], text);
    const first = await generations();
    await apply(text);
    assert.equal(await generations(), first);
    const granted = async (): Promise<true | undefined> =>
      (await can("source", "watch", "secrets")) ? true : undefined;
    await waitUntil(granted, { what: "the rights of source", timeoutMs: 300_000 });
    assert.equal(await can("source", "get", "secrets"), false);
    assert.equal(await can("knative-snapshots", "list", "secrets"), false);
    assert.equal(await can("knative-objects", "list", "pods"), false);
  });

  it("have pods that pass Pod Security restricted, with what Knative puts into them", async () => {
    const objects = objectsOf(await rendered("container-source", "oidc"));
    const pods = [
      ...knativeServices(objects).map((service) => podOfService(service)),
      podOfContainerSource(containerSourceOf(objects)),
    ];
    assert.equal(pods.length, 5);
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: pods });
    const made = (): Promise<string> => apply(list, "--dry-run=server");
    // Once the controller manager has made the namespace's accounts.
    const answer = await waitUntil(made, { what: "the accounts", timeoutMs: 300_000 });
    assert.equal(answer.trim().split("\n").length, pods.length);
    for (const [good, bad] of [
      ['"runAsNonRoot":true', '"runAsNonRoot":false'],
      ['"seccompProfile":{"type":"RuntimeDefault"}', '"seccompProfile":{"type":"Unconfined"}'],
    ] as const) {
      const at = list.indexOf('"name":"sampledb-source"');
      const loose = list.slice(0, at) + list.slice(at).replace(good, bad);
      assert.notEqual(loose, list);
      await assert.rejects(apply(loose, "--dry-run=server"), /sampledb-source.*violates PodSecurity/su);
    }
  });
});
