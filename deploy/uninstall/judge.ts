import { type Finding, missing, warning } from "../prerequisites/finding.ts";
import { claimedBy, installedPlatform } from "../prerequisites/other-installation.ts";
import { rightsFindings } from "../prerequisites/rights.ts";
import type { Seen } from "../prerequisites/seen.ts";
import type { Platform } from "../shared/platform.ts";
import { type KubeObject, valueAt } from "../shared/rendered.ts";

/** What is judged before anything is removed. */
export type Removal = {
  readonly platform: Platform;
  readonly namespace: string;
  readonly rendered: readonly KubeObject[];
  readonly seen: Seen;
  /** What the API server says one may not do. */
  readonly refused: readonly string[];
  readonly isForced: boolean;
};

const named = (objects: readonly KubeObject[]): string => {
  const names = objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
};

/** SampleDBs of the cluster. */
export const sampledbsIn = ({ objects }: Pick<Seen, "objects">): readonly KubeObject[] =>
  objects.filter(({ kind, apiVersion }) => kind === "SampleDB" && apiVersion.startsWith("sampledb.dev/"));

const otherFindings = ({ seen, rendered, platform, namespace }: Removal): readonly Finding[] => {
  const elsewhere = claimedBy(rendered, seen);
  if (elsewhere !== undefined)
    return [
      missing(`SampleDB in the namespace ${namespace}`, `it is in ${elsewhere}`, `--namespace ${elsewhere}`),
    ];
  const other = installedPlatform(seen, namespace);
  return other === undefined || other === platform
    ? []
    : [missing(`SampleDB for ${platform} in ${namespace}`, `it is for ${other}`, `--platform ${other}`)];
};

/** What stands in the way, or should be known. */
export const removalFindings = (removal: Removal): readonly Finding[] => {
  const all = sampledbsIn(removal.seen);
  const ending = all.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const guarded = all.filter((object) => valueAt(object, "spec", "deletion", "protection") === true);
  const level = removal.isForced ? warning : missing;
  return [
    ...otherFindings(removal),
    ...rightsFindings(removal.refused),
    ...(ending.length === 0
      ? []
      : [
          level(
            "no SampleDB that is being deleted",
            `${named(ending)}: without the functions that never ends, nor does their namespace's deletion`,
            "wait for their end (kubectl get sdb -A), or --force",
          ),
        ]),
    ...(guarded.length === 0
      ? []
      : [
          warning(
            "somebody who keeps protected SampleDBs from deletion",
            `${named(guarded)}: without the policies of the overlay spec.deletion.protection protects nothing`,
            "take care of them until the functions are back",
          ),
        ]),
  ];
};
