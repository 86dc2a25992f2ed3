import { KNOWN_VERSIONS } from "../catalog.ts";
import { taggedAfterPg, taggedAtBeginning } from "../patterns.ts";
import type { Rule } from "./rule.ts";

const majorBy = (tagged: (major: string) => string, image: string): string | undefined =>
  KNOWN_VERSIONS.find((major) => new RegExp(tagged(major), "u").test(image));

/**
 * The major version that an image's tag names, as in `postgres:17.5-bookworm` or `timescaledb:2.17.2-pg17`. Other numbers are an extension's, a
 * date, a release of the user's own.
 */
const majorOf = (image: string): string | undefined =>
  majorBy(taggedAfterPg, image) ?? majorBy(taggedAtBeginning, image);

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
