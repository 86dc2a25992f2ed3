import { DEFAULTS } from "../defaults.ts";
import { parseQuantity } from "../quantity.ts";
import type { SampleDB } from "../sampledb.ts";
import type { Violation } from "../violation.ts";
import type { Rule } from "./rule.ts";

const sizeOf = (sampledb: SampleDB): string => String(sampledb.spec?.storage?.size ?? DEFAULTS.storage.size);

const sizeChanged = (after: SampleDB, before: SampleDB): readonly Violation[] => {
  const [now, then] = [parseQuantity(sizeOf(after)), parseQuantity(sizeOf(before))];
  if (now === undefined || now === then) return [];
  const what = then !== undefined && now < then ? "a volume cannot shrink" : "resizing is not available yet";
  return [
    {
      path: "spec.storage.size",
      value: after.spec?.storage?.size,
      message: `cannot be changed after creation: ${what}; keep ${sizeOf(before)}, or move the data into a new SampleDB`,
    },
  ];
};

const classChanged = (after: SampleDB, before: SampleDB): readonly Violation[] => {
  const [now, then] = [after.spec?.storage?.storageClassName, before.spec?.storage?.storageClassName];
  if (now === then) return [];
  return [
    {
      path: "spec.storage.storageClassName",
      value: now,
      message: `cannot be changed after creation: a volume cannot change its class; ${then === undefined ? "leave it out" : `keep ${then}`}, or move the data into a new SampleDB`,
    },
  ];
};

/** The volume stays as it was asked for: the same bytes may be written another way. */
export const storageUnchanged: Rule = ({ sampledb, before }) =>
  before === undefined ? [] : [...sizeChanged(sampledb, before), ...classChanged(sampledb, before)];
