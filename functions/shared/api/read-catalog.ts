import { KNOWN_VERSIONS } from "./catalog.ts";
import type { Catalog } from "./catalog.ts";

const isKnown = (version: string): boolean => KNOWN_VERSIONS.some((known) => known === version);

const newest = (versions: readonly string[]): string | undefined =>
  versions.toSorted((a, b) => Number(b) - Number(a))[0];

/**
 * Makes a catalog of a ConfigMap's entries: `default`, `latest` and one entry per major version with its image. `latest` may be
 * absent (then the newest version). Throws an Error that lists everything that is wrong.
 */
export const readCatalog = (entries: Readonly<Record<string, string>>): Catalog => {
  const trimmed = Object.entries(entries).map(([key, text]) => [key, text.trim()] as const);
  const { default: standard, latest: named, ...images } = Object.fromEntries(trimmed);
  const latest = named ?? newest(Object.keys(images));
  const offered = (role: string, version: string | undefined): string | undefined =>
    version !== undefined && Object.hasOwn(images, version)
      ? undefined
      : `${role} is ${version ?? "missing"} and has no image`;
  const faults = [
    ...Object.keys(images)
      .filter((version) => !isKnown(version))
      .map((key) => `${key} is no PostgreSQL version that is known (${KNOWN_VERSIONS.join(", ")})`),
    ...Object.entries(images)
      .filter(([, image]) => image === "" || /\s/u.test(image))
      .map(([version, image]) => `${version} has no usable image: ${JSON.stringify(image)}`),
    offered("default", standard),
    offered("latest", latest),
  ].filter((fault) => fault !== undefined);
  if (standard === undefined || latest === undefined || faults.length > 0)
    throw new Error(`the catalog is broken: ${faults.join("; ")}`);
  return { default: standard, latest, images };
};
