import { join } from "node:path";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";
import type { Program } from "./server.ts";

/** A way to judge what is created in a namespace of its own. */
export type Side = {
  readonly name: "none" | "cel" | "go" | "pepr" | "ours";
  /** Where its objects are. */
  readonly collection: string;
  /** Its webhook, where it has one. */
  readonly program?: Program;
  readonly webhooks: readonly object[];
};

type Names = { readonly mutate: string; readonly validate: string };

const collectionOf = (name: Side["name"]): string =>
  name === "none"
    ? "/apis/bare.example.com/v1/namespaces/none/sampledbs"
    : `/apis/sampledb.dev/v1/namespaces/${name}/sampledbs`;

/** The side without a webhook. */
export const without = (name: "none" | "cel"): Side => ({
  name,
  collection: collectionOf(name),
  webhooks: [],
});

const aimed = (webhook: object, name: Side["name"], { port, ca }: Program, path: string): object => ({
  ...webhook,
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
  clientConfig: { caBundle: Buffer.from(ca).toString("base64"), url: `https://localhost:${port}${path}` },
});

const plainWebhooks = (name: Side["name"], program: Program, paths: Names): readonly object[] =>
  (["mutate", "validate"] as const).map((verb) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: verb === "mutate" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: [
      aimed(
        {
          name: `${verb}.${name}.example.com`,
          admissionReviewVersions: ["v1"],
          rules: [
            {
              apiGroups: ["sampledb.dev"],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE"],
              resources: ["sampledbs"],
            },
          ],
          sideEffects: "None",
          timeoutSeconds: 10,
        },
        name,
        program,
        paths[verb],
      ),
    ],
  }));

/** A webhook as its framework sets it up. */
export const withPlainWebhooks = (name: "go" | "pepr", start: Omit<Program, "path">, paths: Names): Side => {
  const program = { ...start, path: `${paths.mutate}?timeout=10s` };
  return {
    name,
    collection: collectionOf(name),
    program,
    webhooks: plainWebhooks(name, program, paths),
  };
};

const SETTINGS = { service: "admission", namespace: "sampledb-system", port: 443, readyTimeout: 1 };

/** Our webhooks, just as certify sets them up. */
export const withOurWebhooks = (start: Omit<Program, "path">): Side => {
  const program = { ...start, path: "/mutate?timeout=10s" };
  const webhooks = webhookConfigurations(SETTINGS, { name: "certify", uid: "1" }, start.ca).map((plain) => {
    const installed = whileInstalled(plain, SETTINGS);
    return Object.assign({}, installed, {
      metadata: { name: "ours" },
      webhooks: installed.webhooks.map((webhook) =>
        aimed(webhook, "ours", program, `/${String(webhook["name"]).split(".")[0]}`),
      ),
    });
  });
  return { name: "ours", collection: collectionOf("ours"), program, webhooks };
};

/** What certify has once it is installed, and the webhooks ask about. */
export const CERTIFY: readonly object[] = [
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "certify", namespace: SETTINGS.namespace },
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "patch"] }],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "certify", namespace: SETTINGS.namespace },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "certify" },
    subjects: [{ kind: "ServiceAccount", name: "certify", namespace: SETTINGS.namespace }],
  },
];

/** The Go module of the webhook of the usual kind. */
export const GO_MODULE = join(import.meta.dirname, "go-webhook");
