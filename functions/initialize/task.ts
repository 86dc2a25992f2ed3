import type { Owner } from "../shared/api/child-metadata.ts";
import { type ChildNames, childNames } from "../shared/api/child-names.ts";
import type { CompleteSpec, InitScript } from "../shared/api/sampledb.ts";
import type { VolumeFacts } from "../shared/api/volume.ts";
import { credentialsDigest } from "../shared/kube/credentials-digest.ts";
import type { Secret, StatefulSet } from "../shared/kube/kinds.ts";
import type { InitSource } from "../shared/kube/observed.ts";
import { digestOf } from "./digest.ts";
import { INIT_SCRIPT } from "./init-script.ts";

/** What one init Job has to do. */
export type Task = Owner & {
  readonly spec: CompleteSpec;
  readonly names: ChildNames;
  /** "verify": all scripts ran on this volume before, only the credentials are to be tried. */
  readonly mode: "initialize" | "verify";
  readonly image: string;
  readonly scripts: readonly InitScript[];
  /** Digest of the scripts together, "none" without any. */
  readonly digest: string;
  /** Hash of everything that the outcome depends on: the same again would fail the same way. */
  readonly inputs: string;
  /** Digest of the two passwords that it tries. */
  readonly credentials: string;
};

/** What a task is made from. */
export type Materials = {
  readonly owner: Owner;
  readonly spec: CompleteSpec;
  readonly facts: VolumeFacts;
  readonly statefulSet: StatefulSet;
  readonly secrets: readonly Secret[];
  readonly sources: readonly InitSource[];
};

const scriptId = ({ configMapKeyRef, secretKeyRef }: InitScript): string =>
  [configMapKeyRef?.name, configMapKeyRef?.key, secretKeyRef?.name, secretKeyRef?.key].join("/");

/** The scripts' texts in order; undefined while one of them is missing. */
const contentsOf = (
  scripts: readonly InitScript[],
  sources: readonly InitSource[],
): readonly string[] | undefined => {
  const contents = scripts.flatMap(
    (script) => sources.find((source) => scriptId(source.script) === scriptId(script))?.content ?? [],
  );
  return contents.length === scripts.length ? contents : undefined;
};

/** The two Secrets' resource versions; undefined while one of them is missing. */
const versionsOf = (names: ChildNames, secrets: readonly Secret[]): readonly string[] | undefined => {
  const found = [names.secret, names.superuserSecret].flatMap((name) =>
    secrets.filter(({ metadata }) => metadata?.name === name),
  );
  return found.length === 2 ? found.map(({ metadata }) => metadata?.resourceVersion ?? "") : undefined;
};

/** The image that serves: the one whose tools fit. */
const imageOf = ({ spec }: StatefulSet): string | undefined => spec?.template.spec?.containers[0]?.image;

/** The task for a database that runs; undefined while a script, a Secret or a password that it needs is missing (`report` tells which). */
export const taskOf = (materials: Materials): Task | undefined => {
  const { owner, spec, facts, secrets, sources } = materials;
  const names = childNames(owner.name);
  const mode = facts.initScripts === undefined ? "initialize" : "verify";
  const scripts = mode === "initialize" ? spec.init : [];
  const contents = contentsOf(scripts, sources);
  const versions = versionsOf(names, secrets);
  const credentials = credentialsDigest(names, secrets);
  const image = imageOf(materials.statefulSet);
  if (contents === undefined || versions === undefined || credentials === undefined) return undefined;
  if (image === undefined) return undefined;
  const inputs = digestOf([INIT_SCRIPT, mode, image, JSON.stringify(scripts), ...contents, ...versions]);
  const digest = contents.length === 0 ? "none" : digestOf(contents);
  return { ...owner, spec, names, mode, image, scripts, digest, inputs, credentials };
};
