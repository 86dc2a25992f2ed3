import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { shippedWebhooks } from "./shipped-webhooks.ts";

/** Where the webhook configurations for cert-manager are. */
export const WEBHOOKS_FILE = new URL(
  "../../../manifests/components/cert-manager/webhooks.yaml",
  import.meta.url,
);

/** What kustomize puts the namespace of the overlay in place of. */
const NAMESPACE = "$(SAMPLEDB_NAMESPACE)";

/** The file's text, exactly as it is checked in. */
export const printWebhooks = (): string => {
  const settings = { namespace: NAMESPACE, service: "admission", port: 443, readyTimeout: 1 };
  const documents = shippedWebhooks(settings).map((each) =>
    stringify(each, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `# Printed from functions/certify by "npm run generate"; edit there.\n${documents.join("---\n")}`;
};

if (import.meta.main) {
  writeFileSync(WEBHOOKS_FILE, printWebhooks());
  process.stdout.write(`printed ${WEBHOOKS_FILE.pathname}\n`);
}
