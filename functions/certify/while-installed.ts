import type { Settings } from "./settings.ts";
import type { WebhookConfiguration } from "./webhook-configurations.ts";

/**
 * The configuration in force only as long as certify's own RoleBinding is in the functions' namespace, which is what lets it keep the CA.
 * The binding goes with the namespace and with the overlay, whichever goes first, so from then on nobody waits for an admission that is
 * not there any more, even where the garbage collector has not taken (or will never take) the configuration itself.
 */
export const whileInstalled = (
  configuration: WebhookConfiguration,
  { namespace }: Pick<Settings, "namespace">,
): WebhookConfiguration => ({
  ...configuration,
  webhooks: configuration.webhooks.map((webhook) => ({
    ...webhook,
    matchConditions: [
      ...(Array.isArray(webhook["matchConditions"]) ? webhook["matchConditions"] : []),
      {
        name: "is-installed",
        expression:
          `authorizer.serviceAccount('${namespace}', 'certify').group('').resource('secrets')` +
          `.namespace('${namespace}').name('sampledb-ca').check('patch').allowed()`,
      },
    ],
  })),
});
