import type { Rule } from "./rule.ts";

/** There is an image to run: the catalog offers the version, or spec.image says what to run. */
export const versionOffered: Rule = ({ sampledb, spec, before, catalog }) => {
  // A change is refused as such: to name other versions would only mislead.
  if (before?.spec?.version !== undefined && before.spec.version !== spec.version) return [];
  if (spec.image !== undefined || Object.hasOwn(catalog.images, spec.version)) return [];
  const offered = Object.keys(catalog.images).join(", ");
  return [
    {
      path: "spec.version",
      value: sampledb.spec?.version,
      message: `the catalog offers no PostgreSQL ${spec.version}: choose one of ${offered}, or name an image in spec.image`,
    },
  ];
};
