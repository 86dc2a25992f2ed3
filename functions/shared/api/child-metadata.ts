import { ANNOTATION, LABEL } from "./markers.ts";

/** The SampleDB that a child belongs to. */
export type Owner = { readonly namespace: string; readonly name: string; readonly uid: string };

type Markers = Readonly<Record<string, string>>;

/** Labels of everything that belongs to a SampleDB, pods included. */
export const childLabels = (owner: Pick<Owner, "name">): Markers => ({
  [LABEL.database]: owner.name,
  "app.kubernetes.io/name": "postgresql",
  "app.kubernetes.io/instance": owner.name,
  "app.kubernetes.io/managed-by": "sampledb",
});

/** Metadata of a child. There is no ownerReference: the data outlives everything, a foreground deletion included. */
export const childMetadata = (
  owner: Owner,
  name: string,
  more: { readonly labels?: Markers; readonly annotations?: Markers } = {},
): {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Markers;
  readonly annotations: Markers;
} => ({
  namespace: owner.namespace,
  name,
  labels: { ...childLabels(owner), ...more.labels },
  annotations: { [ANNOTATION.ownerUid]: owner.uid, ...more.annotations },
});
