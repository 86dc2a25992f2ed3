import { needsNoMutate, needsNoValidate } from "./needs-no-function.ts";
import { ofRelease } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** Name of both webhook configurations. */
export const configurationName = (settings: Settings): string => ofRelease("sampledb", settings);

/** The ClusterRole that owns both configurations. */
export type Owner = { readonly name: string; readonly uid: string };

/** A webhook configuration, complete: what certify applies and compares with. */
export type WebhookConfiguration = {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly webhooks: readonly Readonly<Record<string, unknown>>[];
};

const IS_LIVING = {
  name: "is-living",
  expression: "!has(object.metadata.deletionTimestamp)",
};

// `object` and `oldObject` are what the client sent: `spec` may be missing in either, and there is no oldObject on CREATE.
const SPEC_CHANGED =
  "oldObject == null || (has(object.spec) ? object.spec : {}) != (has(oldObject.spec) ? oldObject.spec : {})";

const LACKS_FINALIZER =
  "!has(object.metadata.finalizers) || !object.metadata.finalizers.exists(f, f == 'sampledb.dev/retire')";

const metadata = (owner: Owner, settings: Settings): Readonly<Record<string, unknown>> => ({
  name: configurationName(settings),
  labels: {
    "app.kubernetes.io/name": "sampledb",
    "app.kubernetes.io/instance": ofRelease("sampledb", settings),
    "app.kubernetes.io/part-of": "sampledb",
    "app.kubernetes.io/component": "certify",
  },
  // Deleting the overlay deletes the role: then the garbage collector takes the configurations, which would refuse every write else.
  ownerReferences: [{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", ...owner }],
});

const webhook = (name: string, caBundle: string, settings: Settings): Readonly<Record<string, unknown>> => ({
  name: `${name}.sampledb.dev`,
  admissionReviewVersions: ["v1"],
  clientConfig: {
    caBundle: Buffer.from(caBundle).toString("base64"),
    service: {
      namespace: settings.serviceNamespace ?? settings.namespace,
      name: settings.service,
      port: settings.port,
      path: `/${name}`,
    },
  },
  rules: [
    {
      apiGroups: ["sampledb.dev"],
      apiVersions: ["v1"],
      operations: ["CREATE", "UPDATE"],
      resources: ["sampledbs"],
      scope: "Namespaced",
    },
  ],
  ...(settings.release === undefined ? {} : { namespaceSelector: settings.release.labelSelector }),
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  sideEffects: "None",
  timeoutSeconds: 10,
});

/**
 * Both webhook configurations, complete. `caBundle` is PEM. Deletions, finalizer and metadata updates of an object pass without admission,
 * so that its absence holds up no clean-up; status updates are another resource and no rule names it. A creation that says everything, as
 * that of a copy does, passes without them too.
 */
export const webhookConfigurations = (
  settings: Settings,
  owner: Owner,
  caBundle: string,
): readonly WebhookConfiguration[] => [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: metadata(owner, settings),
    webhooks: [
      {
        ...webhook("mutate", caBundle, settings),
        reinvocationPolicy: "IfNeeded",
        matchConditions: [
          IS_LIVING,
          { name: "may-need-defaults", expression: `${SPEC_CHANGED} || ${LACKS_FINALIZER}` },
          { name: "does-not-say-everything", expression: `!(${needsNoMutate})` },
        ],
      },
    ],
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: metadata(owner, settings),
    webhooks: [
      {
        ...webhook("validate", caBundle, settings),
        matchConditions: [
          IS_LIVING,
          { name: "spec-changed", expression: SPEC_CHANGED },
          { name: "is-not-plainly-right", expression: `!(${needsNoValidate})` },
        ],
      },
    ],
  },
];
