import { parse } from "yaml";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { providerObjects } from "../openfaas/provider-objects.ts";
import { overlayFile, stackFunctions } from "../openfaas/stack.ts";
import type { StackFunction } from "../openfaas/stack.ts";

/** Keys of the Secrets at the time when a function is deployed. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "sampledb-caller": ["sampledb-caller"],
  "sampledb-admission-tls": ["tls.crt", "tls.key", "ca.crt"],
};

type FunctionSpec = Omit<StackFunction, "readonly_root_filesystem"> & {
  readonly readOnlyRootFilesystem: boolean;
};

const functionOf = (object: KubeObject): readonly [string, StackFunction] => {
  const { spec }: { readonly spec: FunctionSpec } = JSON.parse(JSON.stringify(object));
  return [object.metadata.name, { ...spec, readonly_root_filesystem: spec.readOnlyRootFilesystem }];
};

/** A patch for `kubectl patch` as one for kustomize, which wants to know of what kind. */
const patchFor = (name: string) => {
  const patch: object = parse(overlayFile(`patches/${name.replace("sampledb-", "")}.yaml`));
  return {
    target: { kind: "Deployment", name },
    patch: JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, ...patch }),
  };
};

/** What the community edition makes of the functions of `stacks` and of the objects Function, and the README's patches for it. */
export const madeByOpenFaas = (objects: readonly KubeObject[], stacks: readonly string[]) => {
  const functions = [
    ...stacks.flatMap((file) => Object.entries(stackFunctions(file))),
    ...objects.filter(({ kind }) => kind === "Function").map((object) => functionOf(object)),
  ];
  const made = functions.flatMap(([name, fn]) => {
    const secrets = Object.fromEntries(fn.secrets.map((secret) => [secret, KEYS[secret] ?? []]));
    return Object.values(providerObjects(name, fn, secrets));
  });
  return { made, patches: functions.map(([name]) => patchFor(name)) };
};
