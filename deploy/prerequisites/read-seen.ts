import type { Kubectl } from "../shared/kubectl.ts";
import { Failure, wordsOf } from "../shared/failure.ts";
import { ProgramFailed } from "../shared/run.ts";
import { itemsIn, type KubeObject, textAt } from "../shared/rendered.ts";
import { isServed, servedKindsIn } from "../shared/served-kinds.ts";
import type { FaasCli, Seen } from "./seen.ts";

type Wish = { readonly resource: string; readonly more: readonly string[] };

const OURS = ["-l", "app.kubernetes.io/part-of=sampledb"];
const one = (resource: string, name: string, namespace?: string): Wish => ({
  resource,
  more: [name, ...(namespace === undefined ? [] : ["-n", namespace])],
});

/** Everything that a finding looks at. What a cluster does not serve is not asked for. */
const wishes = (namespace: string): readonly Wish[] => [
  { resource: "deployments.apps", more: ["-A"] },
  { resource: "clusterrolebindings.rbac.authorization.k8s.io", more: OURS },
  { resource: "storageclasses.storage.k8s.io", more: [] },
  { resource: "jobs.batch", more: ["-n", namespace, ...OURS] },
  { resource: "services.serving.knative.dev", more: ["-A", ...OURS] },
  { resource: "sampledbs.sampledb.dev", more: ["-A"] },
  one("namespaces", namespace),
  { resource: "mutatingwebhookconfigurations.admissionregistration.k8s.io", more: OURS },
  { resource: "validatingadmissionpolicybindings.admissionregistration.k8s.io", more: OURS },
  one("configmaps", "config-network", "knative-serving"),
  one("services", "gateway", "openfaas"),
  one("services", "gateway-external", "openfaas"),
];

const read = async (kubectl: Kubectl, { resource, more }: Wish): Promise<readonly KubeObject[]> =>
  itemsIn(await kubectl(["get", resource, ...more, "--ignore-not-found", "-o", "json"]));

const unreachable = (error: unknown): Failure =>
  new Failure(
    `The cluster does not answer: ${wordsOf(error)}\nSay which with --context or KUBECONFIG; kubectl cluster-info shows what kubectl uses.`,
  );

const versions = async (kubectl: Kubectl): Promise<{ client: string; server: string }> => {
  const text = await kubectl(["version", "-o", "json"]).catch((error: unknown) => {
    throw unreachable(error);
  });
  const found: unknown = JSON.parse(text);
  return {
    client: textAt(found, "clientVersion", "gitVersion"),
    server: textAt(found, "serverVersion", "gitVersion"),
  };
};

/** kubectl fails where one aggregated API is away, and still prints all others. */
const resources = (kubectl: Kubectl): Promise<string> =>
  kubectl(["api-resources", "--no-headers"]).catch((error: unknown) => {
    if (error instanceof ProgramFailed && error.stdout !== "") return error.stdout;
    throw unreachable(error);
  });

/** Reads what the prerequisites are judged by. `namespace` is the functions'. Throws a Failure when no cluster answers. */
export const readSeen = async (
  kubectl: Kubectl,
  namespace: string,
  faasCli: () => Promise<FaasCli | undefined>,
): Promise<Seen> => {
  const { client, server } = await versions(kubectl);
  const kinds = servedKindsIn(await resources(kubectl));
  const asked = wishes(namespace).filter(({ resource }) => isServed(kinds, resource));
  const [objects, cli] = await Promise.all([
    Promise.all(asked.map((wish) => read(kubectl, wish))).catch((error: unknown) => {
      throw new Failure(`The cluster cannot be looked at: ${wordsOf(error)}`);
    }),
    faasCli(),
  ]);
  return { clientVersion: client, serverVersion: server, kinds, objects: objects.flat(), faasCli: cli };
};
