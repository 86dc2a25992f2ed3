import { childNames } from "../shared/api/child-names.ts";
import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import type { PersistentVolumeClaim, Secret } from "../shared/kube/kinds.ts";
import type { Scene } from "./scene.ts";

// A claim that no volume was ever bound to holds nothing; keeping it would only stand in the way of the name's next use.
const mayHoldData = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  spec?.volumeName !== undefined || metadata?.annotations?.[ANNOTATION.initialized] === "true";

/** The claims that outlive the SampleDB: under Wipe none, else each that may hold data. */
export const keptClaims = ({ spec, claims }: Scene): readonly PersistentVolumeClaim[] =>
  spec.deletion.policy === "Wipe" ? [] : claims.filter(mayHoldData);

// Where the claim was removed by hand, its PersistentVolume still has the data, and the ConfigMap says that there was some.
const hadData = ({ configMaps }: Scene): boolean =>
  configMaps.some(({ data }) => data?.["initialized"] === "true");

// Decided by an earlier pass, when the ConfigMap was still there to tell.
const isMarked = ({ metadata }: Secret): boolean => metadata?.labels?.[LABEL.retained] === "true";

/** The Secrets that outlive the SampleDB: both roles', wherever there is data that only they open. */
export const keptSecrets = (scene: Scene): readonly Secret[] => {
  const { spec, sampledb, secrets } = scene;
  if (spec.deletion.policy === "Wipe") return [];
  const { secret, superuserSecret } = childNames(sampledb.metadata.name ?? "");
  const roles = secrets.filter(
    ({ metadata }) => metadata?.name === secret || metadata?.name === superuserSecret,
  );
  return keptClaims(scene).length > 0 || hadData(scene) ? roles : roles.filter(isMarked);
};
