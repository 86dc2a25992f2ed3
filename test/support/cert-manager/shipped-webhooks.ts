import type { Settings } from "../../../functions/certify/settings.ts";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import type { WebhookConfiguration } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";

const SERVES = { account: "admission", group: "sampledb.dev", resource: "admission", verb: "serve" };

const withoutBundle = (webhook: Readonly<Record<string, unknown>>): object => {
  const config = webhook["clientConfig"];
  if (typeof config !== "object" || config === null) throw new Error("a webhook without clientConfig");
  const { caBundle: _, ...clientConfig } = { caBundle: "", ...config };
  return { ...webhook, clientConfig };
};

const shipped = (configuration: WebhookConfiguration, namespace: string): object => {
  const { apiVersion, kind, webhooks } = whileInstalled(configuration, { namespace }, SERVES);
  return {
    apiVersion,
    kind,
    metadata: {
      name: configuration.metadata["name"],
      // The overlay adds the others.
      labels: {
        "app.kubernetes.io/name": "sampledb",
        "app.kubernetes.io/part-of": "sampledb",
        "app.kubernetes.io/component": "admission",
      },
      annotations: { "cert-manager.io/inject-ca-from": `${namespace}/sampledb-admission-tls` },
    },
    webhooks: webhooks.map((webhook) => withoutBundle(webhook)),
  };
};

/** What certify applies, but in force with a right of its own, owned by nobody, and with a CA that cert-manager puts in. */
export const shippedWebhooks = (settings: Settings): readonly object[] =>
  webhookConfigurations(settings, { name: "", uid: "" }, "").map((each) => shipped(each, settings.namespace));
