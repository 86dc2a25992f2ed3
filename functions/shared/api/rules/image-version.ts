import type { Rule } from "./rule.ts";

/** Digits that an image's tag begins with, as in `postgres:17.5-bookworm`. */
const majorOf = (image: string): string | undefined => /^[^@]+:(\d+)[^/:@]*(?:@[^/@]+)?$/u.exec(image)?.[1];

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
