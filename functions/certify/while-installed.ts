import type { WebhookConfiguration } from "./webhook-configurations.ts";

/** A right that is granted in the functions' namespace for as long as they are installed there. */
export type InstalledRight = {
  /** Service account that has it. */
  readonly account: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
  readonly verb: string;
};

/** What lets certify keep the CA. */
const KEEPS_CA: InstalledRight = {
  account: "certify",
  group: "",
  resource: "secrets",
  name: "sampledb-ca",
  verb: "patch",
};

/**
 * The configuration in force only as long as `right` (by itself certify's own) is granted by a RoleBinding in the functions' namespace.
 * The binding goes with the namespace and with the overlay, whichever goes first, so from then on nobody waits for an admission that is
 * not there any more, even where the garbage collector has not taken (or will never take) the configuration itself.
 */
export const whileInstalled = (
  configuration: WebhookConfiguration,
  { namespace }: { readonly namespace: string },
  { account, group, resource, name, verb }: InstalledRight = KEEPS_CA,
): WebhookConfiguration => ({
  ...configuration,
  webhooks: configuration.webhooks.map((webhook) => ({
    ...webhook,
    matchConditions: [
      ...(Array.isArray(webhook["matchConditions"]) ? webhook["matchConditions"] : []),
      {
        name: "is-installed",
        expression:
          `authorizer.serviceAccount('${namespace}', '${account}').group('${group}').resource('${resource}')` +
          `.namespace('${namespace}')${name === undefined ? "" : `.name('${name}')`}.check('${verb}').allowed()`,
      },
    ],
  })),
});
