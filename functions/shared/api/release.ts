/** On a Namespace: the release of the functions that looks after the SampleDBs in it. */
export const RELEASE_LABEL = "sampledb.dev/release";

/** Which namespaces one of several releases in a cluster looks after. */
export type Release = {
  /** Ends the names of its cluster-wide objects: `-blue`; empty for the release without a name. */
  readonly suffix: string;
  /** The same as a query of the API server takes it. */
  readonly selector: string;
  /** The same as objects take it. */
  readonly labelSelector: Readonly<Record<string, unknown>>;
  /** Whether a namespace with these labels is this release's. */
  readonly serves: (labels: Readonly<Record<string, string>>) => boolean;
};

/** So many characters fit behind and before every name that it becomes a part of. */
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,28}[a-z0-9])?$/u;

/** What no release is named for. */
const UNNAMED: Release = {
  suffix: "",
  selector: `!${RELEASE_LABEL}`,
  labelSelector: { matchExpressions: [{ key: RELEASE_LABEL, operator: "DoesNotExist" }] },
  serves: (labels) => !Object.hasOwn(labels, RELEASE_LABEL),
};

const named = (name: string): Release => ({
  suffix: `-${name}`,
  selector: `${RELEASE_LABEL}=${name}`,
  labelSelector: { matchLabels: { [RELEASE_LABEL]: name } },
  serves: (labels) => labels[RELEASE_LABEL] === name,
});

/** Reads `NAMESPACE_SELECTOR`; undefined where it is not set: every namespace. Throws with a sentence for the user. */
export const releaseFrom = (env: Readonly<Record<string, string | undefined>>): Release | undefined => {
  const text = env["NAMESPACE_SELECTOR"];
  if (text === undefined) return undefined;
  if (text === UNNAMED.selector) return UNNAMED;
  const [label, name = "", ...more] = text.split("=");
  if (label === RELEASE_LABEL && more.length === 0 && NAME.test(name)) return named(name);
  // Nothing is guessed: whoever meant some namespaces must not get all of them.
  throw new Error(
    `NAMESPACE_SELECTOR is ${JSON.stringify(text)}: it must be ${RELEASE_LABEL}=NAME (NAME: at most 30 of a-z, 0-9 and -, not - at an end), or ` +
      `!${RELEASE_LABEL} for the namespaces without that label; leave it unset for every namespace.`,
  );
};
