import { KNOWN_VERSIONS } from "../catalog.ts";
import type { Rule } from "./rule.ts";

/**
 * The major version that an image's tag begins with, as in `postgres:17.5-bookworm`. Other numbers are an extension's, a date, a release of
 * the user's own: `timescaledb:2.17.2-pg17`.
 */
const majorOf = (image: string): string | undefined => {
  const number = /^[^@]+:(\d+)[^/:@]*(?:@[^/@]+)?$/u.exec(image)?.[1];
  return KNOWN_VERSIONS.find((version) => version === number);
};

/** An image whose tag names a version names the version of the data: another one would not start on it. */
export const imageVersion: Rule = ({ spec }) => {
  const major = spec.image === undefined ? undefined : majorOf(spec.image);
  if (major === undefined || major === spec.version) return [];
  return [
    {
      path: "spec.image",
      value: spec.image,
      message: `the tag names PostgreSQL ${major} and spec.version is "${spec.version}": both must be the same major version`,
    },
  ];
};
