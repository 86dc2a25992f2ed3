import { removeFunctions, SYSTEM_NAMESPACE } from "../deploy/deploy.ts";
import { CRDS } from "../deploy/install-crds.ts";
import { type Connection, type Kubectl, kubectlCommand, kubectlFor } from "../../../deploy/shared/kubectl.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";

const SAMPLE_NAMESPACE = "sampledb-sample";

const exists = async (kubectl: Kubectl, object: string): Promise<boolean> =>
  (await kubectl(["get", object, "--ignore-not-found", "-o", "name"])).trim() !== "";

/** Deletes the sample with its data: the default policy would leave a volume behind in somebody's cluster. */
const wipeSample = async (kubectl: Kubectl): Promise<void> => {
  const samples = await kubectl(["get", "sampledbs", "-n", SAMPLE_NAMESPACE, "-o", "name"]);
  for (const sample of samples.split("\n").filter(Boolean)) {
    const wipe = JSON.stringify({ spec: { deletion: { policy: "Wipe", protection: false } } });
    await kubectl(["patch", sample, "-n", SAMPLE_NAMESPACE, "--type=merge", "-p", wipe]);
    await kubectl(["delete", sample, "-n", SAMPLE_NAMESPACE, "--timeout=120s"]);
  }
};

/** The cluster that the user named. What is there before the session is there after it. */
export const namedSession = async (
  { step, note }: Steps,
  named: Connection,
  image: string,
): Promise<Session> => {
  const kubectl = kubectlFor(named);
  const had = await step("The cluster that you named", async () => {
    await kubectl(["version"]);
    return {
      crd: await exists(kubectl, "crd/sampledbs.sampledb.dev"),
      functions: await exists(kubectl, `namespace/${SYSTEM_NAMESPACE}`),
      sample: await exists(kubectl, `namespace/${SAMPLE_NAMESPACE}`),
    };
  });
  if (had.sample) {
    throw new Error(`Namespace ${SAMPLE_NAMESPACE} exists already: delete it, or end the other npm start.`);
  }
  await kubectl(["create", "namespace", SAMPLE_NAMESPACE]);
  const deployment = { image };
  return {
    kubectl,
    kubectlCommand: kubectlCommand(named),
    connectLines: named.context === undefined ? [] : [`kubectl config use-context ${named.context}`],
    deployment,
    namespace: SAMPLE_NAMESPACE,
    end: async () => {
      await wipeSample(kubectl);
      await kubectl(["delete", "namespace", SAMPLE_NAMESPACE]);
      if (had.functions) note("The functions were there before and stay, in the version just applied.");
      else await removeFunctions(kubectl, deployment);
      if (!had.crd) {
        await kubectl(["annotate", "--overwrite", "-k", CRDS, "sampledb.dev/allow-delete=true"]);
        await kubectl(["delete", "-k", CRDS]);
      }
    },
  };
};
