import { type KubeObject, listAt, nameOf, textAt } from "../shared/rendered.ts";

const pendingDeployment = (object: KubeObject): string | undefined => {
  const wanted = Number(textAt(object, "spec", "replicas") || 1);
  const count = (field: string): number => Number(textAt(object, "status", field));
  if (count("observedGeneration") < (object.metadata.generation ?? 0)) return "not looked at yet";
  const [updated, available, all] = [count("updatedReplicas"), count("availableReplicas"), count("replicas")];
  if (updated < wanted) return `${updated} of ${wanted} pods made`;
  if (available < updated) return `${available} of ${updated} pods available`;
  return all > updated ? `${all - updated} pods of the former version end` : undefined;
};

const pendingCondition = (object: KubeObject): string | undefined => {
  const conditions = listAt(object, "status", "conditions");
  const ready = conditions.find((condition) => textAt(condition, "type") === "Ready");
  if (ready === undefined) return "not looked at yet";
  if (textAt(ready, "status") === "True") return undefined;
  return [textAt(ready, "reason"), textAt(ready, "message")].filter(Boolean).join(": ") || "not Ready";
};

/** Kinds, by group, whose objects say by the condition Ready whether they do their work. */
const BY_CONDITION =
  /^(?:serving\.knative\.dev|sources\.knative\.dev|eventing\.knative\.dev|messaging\.knative\.dev|cert-manager\.io)\//u;

/** Whether an object says of itself that it runs. */
export const saysReady = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  kind === "Deployment" || BY_CONDITION.test(apiVersion);

/** What these objects still wait for: `Deployment shop/admission: 1 of 2 pods available`. Empty when all run. */
export const pendingIn = (objects: readonly KubeObject[]): readonly string[] =>
  objects.flatMap((object) => {
    if (!saysReady(object)) return [];
    const pending = object.kind === "Deployment" ? pendingDeployment(object) : pendingCondition(object);
    return pending === undefined ? [] : [`${nameOf(object)}: ${pending}`];
  });
