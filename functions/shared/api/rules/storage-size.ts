import { ABOVE_AMOUNTS, MIN_STORAGE } from "../limits.ts";
import { parseQuantity } from "../quantity.ts";
import { amountFault } from "./amount-fault.ts";
import type { Rule } from "./rule.ts";

/** The size is one that PostgreSQL can start in. */
export const storageSize: Rule = ({ sampledb }) => {
  const size = sampledb.spec?.storage?.size;
  if (size === undefined) return [];
  const bytes = parseQuantity(String(size)) ?? 0;
  const isEnough = bytes >= MIN_STORAGE.bytes && bytes < ABOVE_AMOUNTS.value;
  const message = isEnough
    ? undefined
    : (amountFault(size, "memory") ??
      `must be at least ${MIN_STORAGE.text}: an empty PostgreSQL needs that much`);
  return message === undefined ? [] : [{ path: "spec.storage.size", value: size, message }];
};
