/** Labels, annotations and the finalizer by which SampleDB's objects are recognised. */

/** Labels on every child. They are part of immutable selectors, so their meaning never changes. */
export const LABEL = {
  /** Name of the SampleDB (same namespace). */
  database: "sampledb.dev/database",
  /** Number of the instance, "1" for the first. */
  instance: "sampledb.dev/instance",
  /** What a pod does: "primary" serves the database, "init" runs the init Job. */
  role: "sampledb.dev/role",
  /** "true" on a claim or Secret that outlived its SampleDB by deletion policy Retain. */
  retained: "sampledb.dev/retained",
  /** On the cluster-scoped PersistentVolume, with `database`: where its SampleDB lives. */
  namespace: "sampledb.dev/namespace",
} as const;

export const ANNOTATION = {
  /** uid of the SampleDB that a child belongs to (children carry no ownerReference: data outlives everything). */
  ownerUid: "sampledb.dev/owner-uid",
  /** On a child: hash of the object as last applied, so that removed fields count as drift too. */
  applied: "sampledb.dev/applied",
  /** On the StatefulSet, not on its pods: generation of the SampleDB that was carried out last. */
  generation: "sampledb.dev/generation",
  /** On a claim: "active" for the volume that serves. */
  state: "sampledb.dev/state",
  /** On a claim: PostgreSQL major version of the data. */
  version: "sampledb.dev/version",
  /** On a claim: "true" once a database was seen running on it. A volume so marked is never initialised again. */
  initialized: "sampledb.dev/initialized",
  /** On a claim: digest of the init scripts that ran ("none" without any). Absent: they have not all run. */
  initScripts: "sampledb.dev/init-scripts",
  /** On a claim: uid of the SampleDB whose Secrets were tried against the data with success. */
  credentialsVerified: "sampledb.dev/credentials-verified",
  /** On a claim and the init Job: digest of the two passwords that were tried (`credentialsDigest`), to notice when one changes. */
  credentials: "sampledb.dev/credentials",
  /** On claims and Secrets: the database and its owner role, checked at adoption. */
  databaseName: "sampledb.dev/database-name",
  databaseOwner: "sampledb.dev/database-owner",
  /** On a PersistentVolume: uid of the SampleDB whose deletion gives it up. */
  wiped: "sampledb.dev/wiped",
  /** On the init Job: hash of what it was made from, to tell whether a failed one is worth another try. */
  inputs: "sampledb.dev/inputs",
} as const;

/** Held by `retire` until the deletion policy is carried out. */
export const FINALIZER = "sampledb.dev/retire";
