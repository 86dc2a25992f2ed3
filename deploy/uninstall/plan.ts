import { STACK } from "../openfaas/stack.ts";
import { listAt, listOf, type KubeObject, nameOf, textAt } from "../shared/rendered.ts";
import type { Step } from "../shared/step.ts";

/** What the plan depends on. */
export type Remains = {
  readonly namespace: string;
  readonly isOpenFaas: boolean;
  /** Names of the webhook configurations. */
  readonly webhooks: readonly string[];
  /** Rendered objects, of kinds that the cluster serves. */
  readonly objects: readonly KubeObject[];
  /** Objects of ours in the namespace that are not rendered. */
  readonly leftovers: readonly KubeObject[];
  /** How one would render it. */
  readonly shown: string;
  readonly timeoutSeconds: number;
};

/** The configurations of this installation: rendered, or owned by a ClusterRole that is. */
export const webhooksOf = (
  present: readonly KubeObject[],
  rendered: readonly KubeObject[],
): readonly string[] => {
  const roles = new Set(
    rendered.filter(({ kind }) => kind === "ClusterRole").map(({ metadata }) => metadata.name),
  );
  const names = new Set(
    rendered
      .filter(({ kind }) => kind === "MutatingWebhookConfiguration")
      .map(({ metadata }) => metadata.name),
  );
  return present
    .filter(({ kind }) => kind === "MutatingWebhookConfiguration")
    .filter(
      ({ metadata }) =>
        names.has(metadata.name) ||
        listAt(metadata, "ownerReferences").some((owner) => roles.has(textAt(owner, "name"))),
    )
    .map(({ metadata }) => metadata.name);
};

/** A namespace that holds SampleDBs takes them along, so it stays then. */
export const withoutInhabited = (
  objects: readonly KubeObject[],
  sampledbs: readonly KubeObject[],
): readonly KubeObject[] => {
  const inhabited = new Set(sampledbs.map(({ metadata }) => metadata.namespace));
  return objects.filter(({ kind, metadata }) => kind !== "Namespace" || !inhabited.has(metadata.name));
};

const SECRETS = ["sampledb-ca", "sampledb-admission-tls"];
const DELETE = ["delete", "--ignore-not-found", "--wait=true"];

/** What is to be done, in order: webhooks, OpenFaaS' functions (while their Secrets are there), the overlay, what certify made. */
export const uninstallPlan = (remains: Remains): readonly Step[] => {
  const { namespace, isOpenFaas, webhooks, objects, leftovers, shown } = remains;
  const timeout = `--timeout=${remains.timeoutSeconds}s`;
  const kubectl = (title: string, ...args: readonly string[]): Step => ({
    do: "kubectl",
    title,
    args: [...DELETE, timeout, ...args],
  });
  const secrets = [...SECRETS, ...(isOpenFaas ? ["sampledb-caller"] : [])];
  const endsWithNamespace = objects.some(
    ({ kind, metadata }) => kind === "Namespace" && metadata.name === namespace,
  );
  const inNamespace: readonly Step[] = [
    ...leftovers.map((object): Step => ({
      do: "kubectl",
      title: `remove ${nameOf(object)}`,
      args: [...DELETE, timeout, "-f", "-"],
      input: listOf([object]),
      shown: `printf '${nameOf(object)}'`,
    })),
    kubectl("remove what certify made", "secret", ...secrets, "-n", namespace),
  ];
  return [
    ...(webhooks.length === 0
      ? []
      : [
          kubectl(
            "remove the webhook configurations: nothing is refused from here on",
            "mutatingwebhookconfigurations,validatingwebhookconfigurations",
            ...webhooks,
          ),
        ]),
    ...(isOpenFaas
      ? [{ do: "faas-cli", title: "remove the functions", args: ["remove", "-f", STACK], env: {} } as const]
      : []),
    {
      do: "kubectl",
      title: "remove the overlay",
      args: [...DELETE, timeout, "-f", "-"],
      input: listOf(objects),
      shown,
    },
    ...(endsWithNamespace ? [] : inNamespace),
  ];
};
