import { ANNOTATION } from "../shared/api/markers.ts";
import type { ObjectMeta } from "../shared/api/sampledb.ts";
import type { Pod } from "../shared/kube/kinds.ts";
import type { Observed } from "../shared/kube/observed.ts";

type Objects = Observed<"Pod" | "StatefulSet" | "Job" | "PersistentVolumeClaim">["objects"];
type Labelled = { readonly metadata?: ObjectMeta };

const claimNames = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
  );

// Pods that something else runs (a copy made for debugging, say) are not waited for.
const isOfOurKinds = (pod: Pod): boolean =>
  (pod.metadata?.ownerReferences ?? []).every(({ kind }) => kind === "StatefulSet" || kind === "Job");

/**
 * The labelled pods that belong to the SampleDB whose objects `isOwn` picks. A pod is another's when its annotation says so, when a
 * StatefulSet or Job of another made it, or when it uses another's volume; all others are its own, those too that an orphan
 * deletion of the StatefulSet left without an owner.
 */
export const podsOf = (objects: Objects, isOwn: (object: Labelled) => boolean): readonly Pod[] => {
  const foreign = [...objects.StatefulSet, ...objects.Job, ...objects.PersistentVolumeClaim].filter(
    (object) => !isOwn(object),
  );
  const foreignUids = new Set(foreign.map(({ metadata }) => metadata?.uid));
  const foreignClaims = new Set(
    objects.PersistentVolumeClaim.filter((claim) => !isOwn(claim)).map(({ metadata }) => metadata?.name),
  );
  return objects.Pod.filter(
    (pod) =>
      isOwn(pod) ||
      (pod.metadata?.annotations?.[ANNOTATION.ownerUid] === undefined &&
        isOfOurKinds(pod) &&
        !(pod.metadata?.ownerReferences ?? []).some(({ uid }) => foreignUids.has(uid)) &&
        !claimNames(pod).some((name) => foreignClaims.has(name))),
  );
};
