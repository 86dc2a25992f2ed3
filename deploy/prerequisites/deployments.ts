import { textAt } from "../shared/rendered.ts";
import { objectSeen, type Seen } from "./seen.ts";

/** How many pods of a Deployment are ready; undefined where it does not exist. */
export const readyOf = (seen: Pick<Seen, "objects">, namespace: string, name: string): number | undefined => {
  const deployment = objectSeen(seen, "Deployment", name, namespace);
  return deployment === undefined ? undefined : Number(textAt(deployment, "status", "readyReplicas"));
};

/** What is wrong with Deployments that must run, in words; empty where all have a ready pod. */
export const notRunning = (
  seen: Pick<Seen, "objects">,
  namespace: string,
  names: readonly string[],
): readonly string[] =>
  names.flatMap((name) => {
    const ready = readyOf(seen, namespace, name);
    if (ready === undefined) return [`there is no Deployment ${namespace}/${name}`];
    return ready === 0 ? [`no pod of Deployment ${namespace}/${name} is ready`] : [];
  });
