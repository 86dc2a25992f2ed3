import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { objectsOf } from "../../support/kustomize/render.ts";

const OVERLAY = "overlays/knative";

describe("the overlay for Knative, on a real API server with Knative's schemas", () => {
  let cluster: LocalCluster;
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (text: string): Promise<string> => kubectl(["apply", "--validate=strict", "-f", "-"], text);

  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(cluster.kubectl);
    await installKnativeCrds(cluster.kubectl);
    await kubectl(["create", "namespace", "kourier-system"]);
  });
  after(() => cluster.stop());

  for (const components of [[], ["container-source", "internal-ingress", "snapshots", "oidc"]]) {
    it(`applied again changes nothing: ${["it", ...components].join(" with ")}`, async () => {
      const text = await renderComponents(kubectl, OVERLAY, components);
      await apply(text);
      const path = "{range .items[*]}{.kind} {.metadata.name} {.metadata.generation}{'\\n'}{end}";
      const generations = (): Promise<string> => kubectl(["get", "-f", "-", "-o", `jsonpath=${path}`], text);
      const first = await generations();
      assert.equal(first.trim().split("\n").length, objectsOf(text).length);
      await apply(text);
      assert.equal(await generations(), first);
    });
  }
});
