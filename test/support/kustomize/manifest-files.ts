import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseAllDocuments } from "yaml";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");

export type PolicyRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
};
type Container = {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
};
type PodTemplate = {
  readonly spec: { readonly serviceAccountName: string; readonly containers: readonly Container[] };
};

/** The parts of manifests that tests look at. */
export type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly rules?: readonly PolicyRule[];
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
};

/** The objects of one file of manifests/. */
export const manifestsIn = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(MANIFESTS, file), "utf8"), { merge: true }).map((document): Manifest =>
    document.toJS(),
  );

/** Every YAML file below manifests/`folder`, relative to manifests/. */
export const yamlFilesBelow = (folder: string): readonly string[] =>
  readdirSync(join(MANIFESTS, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
    .map((entry) => relative(MANIFESTS, join(entry.parentPath, entry.name)))
    .toSorted();

/** The pod template of a Deployment, Job or CronJob; undefined of anything else. */
export const templateOf = ({ kind, spec }: Manifest): PodTemplate | undefined => {
  if (kind === "CronJob") return spec?.jobTemplate?.spec.template;
  return kind === "Deployment" || kind === "Job" ? spec?.template : undefined;
};
