import { ABOVE_AMOUNTS } from "../limits.ts";
import { parseQuantity, suggestQuantity } from "../quantity.ts";
import type { Quantity } from "../sampledb.ts";

const EXAMPLES = { cpu: "500m or 2", memory: "512Mi or 10Gi" } as const;

const smallUnitFault = (text: string): string | undefined => {
  const meant = text.slice(0, -1);
  if (text.endsWith("m"))
    return `is in thousandths of a byte, for that is what m means; did you mean ${meant}Mi?`;
  return /[nu]$/u.test(text)
    ? `is in fractions of a byte, for that is what ${text.slice(-1)} means: write an amount such as ${EXAMPLES.memory}`
    : undefined;
};

/** Why an amount is no usable quantity, with what was probably meant; undefined where it is one. */
export const amountFault = (amount: Quantity, of: keyof typeof EXAMPLES): string | undefined => {
  const text = String(amount);
  const value = parseQuantity(text);
  if (value === undefined) {
    const meant = of === "memory" ? suggestQuantity(text) : undefined;
    return meant === undefined
      ? `must be a quantity such as ${EXAMPLES[of]}`
      : `must be a quantity such as ${EXAMPLES[of]}; did you mean ${meant}?`;
  }
  if (value <= 0) return `must be above 0, such as ${EXAMPLES[of]}`;
  if (value >= ABOVE_AMOUNTS.value)
    return `must be below ${ABOVE_AMOUNTS.text}, which is more than Kubernetes can count; such as ${EXAMPLES[of]}`;
  return of === "memory" ? smallUnitFault(text) : undefined;
};
