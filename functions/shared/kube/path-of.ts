import { RESOURCES } from "./kinds.ts";
import type { Kind } from "./kinds.ts";

export type Place = {
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly subresource?: string;
};

/** Path of an object, or of a collection where `name` is absent (of all namespaces where `namespace` is), with an encoded query. */
export const pathOf = (kind: Kind, place: Place, query: Readonly<Record<string, string>> = {}): string => {
  const { apiVersion, plural, namespaced } = RESOURCES[kind];
  const parts = [
    apiVersion.includes("/") ? "apis" : "api",
    ...apiVersion.split("/"),
    ...(namespaced && place.namespace !== undefined ? ["namespaces", place.namespace] : []),
    plural,
    place.name,
    place.subresource,
  ].filter((part) => part !== undefined);
  const search = new URLSearchParams(query).toString();
  return `/${parts.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
};
