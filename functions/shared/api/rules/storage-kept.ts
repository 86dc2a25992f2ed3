import { DEFAULTS } from "../defaults.ts";
import { parseQuantity } from "../quantity.ts";
import type { SampleDB } from "../sampledb.ts";
import type { Violation } from "../violation.ts";
import type { Rule } from "./rule.ts";

const sizeOf = (sampledb: SampleDB): string => String(sampledb.spec?.storage?.size ?? DEFAULTS.storage.size);

const sizeShrunk = (after: SampleDB, before: SampleDB): readonly Violation[] => {
  const [now, then] = [parseQuantity(sizeOf(after)), parseQuantity(sizeOf(before))];
  if (now === undefined || then === undefined || now >= then) return [];
  return [
    {
      path: "spec.storage.size",
      value: after.spec?.storage?.size,
      message: `cannot be lowered: a volume cannot shrink; keep ${sizeOf(before)}, or move the data into a new SampleDB`,
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

/** The volume keeps its class, and at least its size. Whether its class can make it larger, a policy judges, which sees classes. */
export const storageKept: Rule = ({ sampledb, before }) =>
  before === undefined ? [] : [...sizeShrunk(sampledb, before), ...classChanged(sampledb, before)];
