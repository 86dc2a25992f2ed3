import type { Key } from "../../../functions/shared/api/key.ts";

/** Differs between any two runs, or follows from the name: times, uids, addresses, passwords. */
const VOLATILE = [
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "lastTransitionTime",
  "kubectl.kubernetes.io/last-applied-configuration",
  "sampledb.dev/applied",
  "sampledb.dev/inputs",
  "sampledb.dev/credentials",
  "password",
  "uri",
  "host",
  "clusterIP",
  "clusterIPs",
];

const without =
  (fields: readonly string[]) =>
  (field: string, value: unknown): unknown =>
    fields.includes(field) ? undefined : value;

const asText = (value: unknown, fields: readonly string[]): string =>
  JSON.stringify(value, without(fields), 1) ?? "";

/** uids by the order in which they first appear: who belongs to whom stays visible. */
const withNumberedUids = (text: string): string => {
  const seen = new Map<string, string>();
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, (uid) => {
    const known = seen.get(uid) ?? `UID-${seen.size + 1}`;
    seen.set(uid, known);
    return known;
  });
};

/**
 * A SampleDB (undefined once it is gone) and its children as text that is equal for two of them exactly if they ended alike. `name` must
 * be part of nothing else in them. The children's own status and generation are left out: controllers write at their own pace, and how
 * often a spec changed on the way is no matter.
 */
export const endState = (sampledb: unknown, children: readonly unknown[], { namespace, name }: Key): string =>
  withNumberedUids(
    [
      asText(sampledb, VOLATILE),
      ...children.map((child) => asText(child, [...VOLATILE, "status", "generation"])),
    ]
      .join("\n")
      .replaceAll(name, "NAME")
      .replaceAll(namespace, "NAMESPACE"),
  );
