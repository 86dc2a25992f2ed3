import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serverNames, settingsFrom } from "../../../functions/certify/settings.ts";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";

const settings = settingsFrom({
  POD_NAMESPACE: "shop",
  ADMISSION_SERVICE: "sampledb-admission",
  ADMISSION_NAMESPACE: "gateways",
});

describe("certify with admission behind a Service of another namespace", () => {
  it("makes the certificate for that Service, in its own namespace", () => {
    assert.equal(settings.namespace, "shop");
    assert.deepEqual(serverNames(settings), [
      "sampledb-admission.gateways.svc",
      "sampledb-admission",
      "sampledb-admission.gateways",
      "sampledb-admission.gateways.svc.cluster.local",
    ]);
  });

  it("points both webhooks at it, each at its path, in force as long as certify is installed in its own namespace", () => {
    const paths = webhookConfigurations(settings, { name: "sampledb-certify", uid: "1" }, "CA").map(
      (configuration) => {
        const [webhook] = whileInstalled(configuration, settings).webhooks;
        assert.match(JSON.stringify(webhook?.["matchConditions"]), /serviceAccount\('shop', 'certify'\)/u);
        const { service }: { readonly service: Record<string, unknown> } = JSON.parse(
          JSON.stringify(webhook?.["clientConfig"]),
        );
        assert.deepEqual([service["namespace"], service["name"]], ["gateways", "sampledb-admission"]);
        return service["path"];
      },
    );
    assert.deepEqual(paths, ["/mutate", "/validate"]);
  });

  it("is what an empty setting does not ask for", () => {
    assert.equal(
      serverNames(settingsFrom({ POD_NAMESPACE: "shop", ADMISSION_NAMESPACE: "" }))[0],
      "admission.shop.svc",
    );
  });
});
