import type { KubeObject } from "./rendered.ts";

/** A kind that the API server serves. */
export type ServedKind = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
};

/** Reads what `kubectl api-resources --no-headers` prints; a column (short names) may be empty. */
export const servedKindsIn = (text: string): readonly ServedKind[] =>
  text
    .split("\n")
    .map((line) => line.trim().split(/\s+/u))
    .filter((words) => words.length >= 4)
    .map((words) => ({
      apiVersion: words.at(-3) ?? "",
      kind: words.at(-1) ?? "",
      plural: words[0] ?? "",
      isNamespaced: words.at(-2) === "true",
    }));

/** The part of an apiVersion before the slash; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";

/** How an object's kind is served; undefined when it is not. Another version of the group does. */
export const servedAs = (
  kinds: readonly ServedKind[],
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
): ServedKind | undefined =>
  kinds.find((served) => served.kind === kind && groupOf(served.apiVersion) === groupOf(apiVersion));

/** Whether a resource such as `services.serving.knative.dev` is served. */
export const isServed = (kinds: readonly ServedKind[], resource: string): boolean =>
  kinds.some(({ plural, apiVersion }) => {
    const group = groupOf(apiVersion);
    return resource === (group === "" ? plural : `${plural}.${group}`);
  });
