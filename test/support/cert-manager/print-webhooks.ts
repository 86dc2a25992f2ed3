import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import type { WebhookConfiguration } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";

/** Where the webhook configurations for cert-manager are. */
export const WEBHOOKS_FILE = new URL(
  "../../../manifests/components/cert-manager/webhooks.yaml",
  import.meta.url,
);

/** What kustomize puts the namespace of the overlay in place of. */
const NAMESPACE = "$(SAMPLEDB_NAMESPACE)";

const SERVES = { account: "admission", group: "sampledb.dev", resource: "admission", verb: "serve" };

const withoutBundle = (webhook: Readonly<Record<string, unknown>>): object => {
  const config = webhook["clientConfig"];
  if (typeof config !== "object" || config === null) throw new Error("a webhook without clientConfig");
  const { caBundle: _, ...clientConfig } = { caBundle: "", ...config };
  return { ...webhook, clientConfig };
};

/** What certify applies, but in force with a right of its own, owned by nobody, and with a CA that cert-manager puts in. */
const shipped = (configuration: WebhookConfiguration): object => {
  const { apiVersion, kind, webhooks } = whileInstalled(configuration, { namespace: NAMESPACE }, SERVES);
  return {
    apiVersion,
    kind,
    metadata: {
      name: configuration.metadata["name"],
      labels: { "app.kubernetes.io/name": "sampledb", "app.kubernetes.io/part-of": "sampledb" },
      annotations: { "cert-manager.io/inject-ca-from": `${NAMESPACE}/sampledb-admission-tls` },
    },
    webhooks: webhooks.map((webhook) => withoutBundle(webhook)),
  };
};

/** The file's text, exactly as it is checked in. */
export const printWebhooks = (): string => {
  const settings = { namespace: NAMESPACE, service: "admission", port: 443, readyTimeout: 1 };
  const documents = webhookConfigurations(settings, { name: "", uid: "" }, "").map((each) =>
    stringify(shipped(each), { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `# Printed from functions/certify by "npm run generate"; edit there.\n${documents.join("---\n")}`;
};

if (import.meta.main) {
  writeFileSync(WEBHOOKS_FILE, printWebhooks());
  process.stdout.write(`printed ${WEBHOOKS_FILE.pathname}\n`);
}
