import type { KubeObject } from "../shared/rendered.ts";
import { type Finding, missing } from "./finding.ts";
import type { Seen } from "./seen.ts";

const VERSION = "app.kubernetes.io/version";

const numbersOf = (version: string): readonly number[] => version.split(/[.+-]/u).slice(0, 3).map(Number);

/** Whether one version is older than another, by its three numbers; what has none is not. */
const isOlder = (version: string, than: string): boolean => {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((number, index) => number !== (b[index] ?? 0));
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
};

const versionsOf = (objects: readonly KubeObject[]): ReadonlyMap<string, string> =>
  new Map(
    objects
      .filter(({ kind }) => kind === "ClusterRoleBinding")
      .flatMap(({ metadata }) => {
        const version = metadata.labels?.[VERSION];
        return version === undefined ? [] : [[metadata.name, version] as const];
      }),
  );

/** Whether a newer release of the same name is installed. */
export const releaseFindings = (rendered: readonly KubeObject[], { objects }: Seen): readonly Finding[] => {
  const installed = versionsOf(objects);
  const newer = [...versionsOf(rendered)].find(([name, version]) =>
    isOlder(version, installed.get(name) ?? version),
  );
  if (newer === undefined) return [];
  const [name, version] = newer;
  return [
    missing(
      "a release not older than the one that is there",
      `${installed.get(name)} is installed, and this is ${version}`,
      `check out ${installed.get(name)} or newer, or --older to go back`,
    ),
  ];
};
