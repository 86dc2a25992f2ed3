import { MIN_MEMORY, RESOURCE_NAMES } from "../limits.ts";
import { parseQuantity } from "../quantity.ts";
import type { Quantity } from "../sampledb.ts";
import { suggest } from "../suggest.ts";
import { amountFault } from "./amount-fault.ts";
import type { Rule } from "./rule.ts";

const nameFault = (name: string): string => {
  const meant = suggest(name, RESOURCE_NAMES);
  const choices = `only ${RESOURCE_NAMES.join(", ")} can be set`;
  return meant === undefined ? choices : `${choices}; did you mean ${meant}?`;
};

const faultOf = (kind: "requests" | "limits", name: string, amount: Quantity): string | undefined => {
  if (!RESOURCE_NAMES.some((known) => known === name)) return nameFault(name);
  const fault = amountFault(amount, name === "cpu" ? "cpu" : "memory");
  if (fault !== undefined) return fault;
  const isTooLittle =
    kind === "limits" && name === "memory" && (parseQuantity(String(amount)) ?? 0) < MIN_MEMORY.bytes;
  return isTooLittle ? `must be at least ${MIN_MEMORY.text}: PostgreSQL does not start with less` : undefined;
};

/** Resources have names that a container understands and amounts that PostgreSQL can start with. */
export const resourceAmounts: Rule = ({ sampledb }) =>
  (["requests", "limits"] as const).flatMap((kind) =>
    Object.entries(sampledb.spec?.resources?.[kind] ?? {}).flatMap(([name, value]) => {
      const message = faultOf(kind, name, value);
      return message === undefined ? [] : [{ path: `spec.resources.${kind}.${name}`, value, message }];
    }),
  );
