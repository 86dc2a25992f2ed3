import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";
import { printWebhooks, WEBHOOKS_FILE } from "../../support/cert-manager/print-webhooks.ts";

type Webhook = Readonly<Record<string, unknown>> & {
  readonly matchConditions: readonly { readonly name: string }[];
};
type Configuration = { readonly kind: string; readonly webhooks: readonly Webhook[] };

const SETTINGS = { namespace: "$(SAMPLEDB_NAMESPACE)", service: "admission", port: 443, readyTimeout: 1 };

/** What both ways of installing must have in common. */
const common = ({ kind, webhooks }: Configuration): unknown => ({
  kind,
  webhooks: webhooks.map(({ matchConditions, ...webhook }) => ({
    ...JSON.parse(JSON.stringify(webhook, (key, value: unknown) => (key === "caBundle" ? undefined : value))),
    matchConditions: matchConditions.map((each) => (each.name === "is-installed" ? each.name : each)),
  })),
});

describe("the webhook configurations for cert-manager", () => {
  const text = readFileSync(WEBHOOKS_FILE, "utf8");
  const shipped = parseAllDocuments(text).map((document): Configuration => document.toJS());

  it("are printed as they are checked in (npm run generate)", () => {
    assert.equal(text, printWebhooks());
  });

  it("differ from certify's in the CA and in the right that says that they are installed, and in nothing else", () => {
    const certifys = webhookConfigurations(SETTINGS, { name: "sampledb-certify", uid: "1" }, "CA").map(
      (configuration): Configuration => JSON.parse(JSON.stringify(whileInstalled(configuration, SETTINGS))),
    );
    assert.equal(shipped.length, 2);
    assert.deepEqual(shipped.map(common), certifys.map(common));
    assert.ok(!text.includes("caBundle"));
  });
});
