import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { overlayOf } from "../shared/platform.ts";
import { type KubeObject, listAt, textAt } from "../shared/rendered.ts";

export const STACK = join(overlayOf("openfaas"), "stack.yaml");

type Texts = Readonly<Record<string, string>>;

/** A function of stack.yaml, as far as one can tell by it whether it is deployed already. */
export type StackFunction = {
  readonly name: string;
  readonly environment: Texts;
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly patchFile: string;
  readonly account: string;
};

type Stack = {
  readonly functions: Readonly<Record<string, { environment: Texts; labels: Texts; annotations: Texts }>>;
};

/** The functions of stack.yaml; each has a patch, named after its account. */
export const stackFunctions = (): readonly StackFunction[] => {
  const { functions }: Stack = parse(readFileSync(STACK, "utf8"));
  return Object.entries(functions).map(([name, { environment, labels, annotations }]) => {
    const account = name.replace(/^sampledb-/u, "");
    const patchFile = join(overlayOf("openfaas"), "patches", `${account}.yaml`);
    return { name, environment, labels, annotations, account, patchFile };
  });
};

/** Whether OpenFaaS runs a function as the stack says, patched. Deploying it again would replace its pods in any case. */
export const isDeployed = (
  { name, environment, labels, account }: StackFunction,
  image: string,
  { objects, namespace }: { readonly objects: readonly KubeObject[]; readonly namespace: string },
): boolean => {
  const deployment = objects.find(
    ({ kind, metadata }) =>
      kind === "Deployment" && metadata.name === name && metadata.namespace === namespace,
  );
  const template = ["spec", "template"] as const;
  const containers = listAt(deployment, ...template, "spec", "containers");
  const container = containers.find((each) => textAt(each, "name") === name);
  const variables = new Map(
    listAt(container, "env").map((variable) => [textAt(variable, "name"), textAt(variable, "value")]),
  );
  const labelled = (label: string): string => textAt(deployment, ...template, "metadata", "labels", label);
  return (
    textAt(container, "image") === image &&
    textAt(deployment, ...template, "spec", "serviceAccountName") === account &&
    Object.entries(environment).every(([variable, value]) => variables.get(variable) === value) &&
    Object.entries(labels).every(([label, value]) => labelled(label) === value)
  );
};
