import type { Kubectl } from "../shared/kubectl.ts";
import { listOf, type KubeObject } from "../shared/rendered.ts";
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

/** What an apply would do, or why the API server takes it not. */
export type Rehearsal = { readonly changes: readonly Change[]; readonly refusal?: string };

/** Has the API server do everything but store it: schemas, rights, quotas and policies are judged. */
export const rehearse = async (kubectl: Kubectl, objects: readonly KubeObject[]): Promise<Rehearsal> => {
  if (objects.length === 0) return { changes: [] };
  try {
    return { changes: changesIn(await kubectl(["apply", "--dry-run=server", "-f", "-"], listOf(objects))) };
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return { changes: changesIn(error.stdout), refusal: error.complaint };
  }
};
