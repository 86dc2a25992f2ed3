import { after, before, describe, it } from "node:test";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { assertAppliedAgainChangesNothing } from "../../support/kustomize/applied-again.ts";

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
      await assertAppliedAgainChangesNothing(text, { kubectl, apply });
    });
  }
});
