import type { Kubectl } from "../shared/kubectl.ts";
import { itemsIn, type KubeObject, listOf, nameOf } from "../shared/rendered.ts";
import { ProgramFailed } from "../shared/run.ts";

/** What an apply does with one object, which is named as kubectl names it. */
export type Change = { readonly name: string; readonly verb: string };

/** Reads what `kubectl apply` printed: `deployment.apps/source configured (server dry run)`. */
export const changesIn = (text: string): readonly Change[] =>
  text
    .split("\n")
    .map((line) => /^(\S+\/\S+) (\S+)/u.exec(line))
    .flatMap((found) => (found === null ? [] : [{ name: found[1] ?? "", verb: found[2] ?? "" }]));

/** Whether they change anything. */
export const areChanges = (changes: readonly Change[]): boolean =>
  changes.some(({ verb }) => verb !== "unchanged");

/** How many of each: `3 created, 1 configured, 40 unchanged`. */
export const countsOf = (changes: readonly Change[]): string =>
  [...Map.groupBy(changes, ({ verb }) => verb)].map(([verb, all]) => `${all.length} ${verb}`).join(", ");

/** What an object says, without what the API server notes about it. */
const contentOf = ({ metadata, ...rest }: KubeObject): string => {
  const {
    resourceVersion: _,
    generation: __,
    managedFields: ___,
    ...kept
  }: Record<string, unknown> = { ...metadata };
  const { status: ____, ...said }: Record<string, unknown> = rest;
  return JSON.stringify([kept, said]);
};

const keyOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ""} ${metadata.name}`;

/**
 * What would become of objects: `after` is what the API server would make of each, `before` what is there. Not by what kubectl says it would do: it
 * sends some fields each time anew.
 */
export const changesBetween = (
  before: readonly KubeObject[],
  after: readonly KubeObject[],
): readonly Change[] => {
  const present = new Map(before.map((object) => [keyOf(object), contentOf(object)]));
  return after.map((object) => {
    const content = present.get(keyOf(object));
    const verb = content === contentOf(object) ? "unchanged" : "configured";
    return { name: nameOf(object), verb: content === undefined ? "created" : verb };
  });
};

/** What an apply would do, or why the API server takes it not. */
export type Rehearsal = { readonly changes: readonly Change[]; readonly refusal?: string };

/** Has the API server do everything but store it: schemas, rights, quotas and policies are judged. */
export const rehearse = async (kubectl: Kubectl, objects: readonly KubeObject[]): Promise<Rehearsal> => {
  if (objects.length === 0) return { changes: [] };
  const text = listOf(objects);
  try {
    const [after, before] = await Promise.all([
      kubectl(["apply", "--dry-run=server", "-o", "json", "-f", "-"], text),
      kubectl(["get", "--ignore-not-found", "-o", "json", "-f", "-"], text),
    ]);
    return { changes: changesBetween(itemsIn(before), itemsIn(after)) };
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return { changes: [], refusal: error.complaint };
  }
};
