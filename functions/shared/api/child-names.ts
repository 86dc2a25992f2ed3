/** Longest SampleDB name whose every child stays within its kind's limit (a StatefulSet's pods carry name plus an 11-character hash as a 63-character label). */
export const MAX_NAME_LENGTH = 40;

export type ChildNames = {
  /** Service that clients connect to, ConfigMap, PodDisruptionBudget and the owner role's Secret. */
  readonly service: string;
  readonly configMap: string;
  readonly podDisruptionBudget: string;
  readonly secret: string;
  readonly superuserSecret: string;
  readonly headlessService: string;
  /** Instance 1 and the first generation of its claim. */
  readonly statefulSet: string;
  readonly claim: string;
  readonly initJob: string;
};

/** Names of a SampleDB's children: a pure function of its name, so that doubled passes meet in the same objects. */
export const childNames = (name: string): ChildNames => ({
  service: name,
  configMap: name,
  podDisruptionBudget: name,
  secret: name,
  superuserSecret: `${name}-superuser`,
  headlessService: `${name}-headless`,
  statefulSet: `${name}-1`,
  claim: `${name}-1-1`,
  initJob: `${name}-init`,
});

/** Every SampleDB name that an object of this name could belong to: a reference says no more than a name. */
export const possibleOwners = (childName: string): readonly string[] => {
  const stripped = ["-superuser", "-headless", "-init", "-1-1", "-1-0", "-1"]
    .filter((suffix) => childName.endsWith(suffix) && childName.length > suffix.length)
    .map((suffix) => childName.slice(0, -suffix.length));
  return [...new Set([childName, ...stripped])];
};
