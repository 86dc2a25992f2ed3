import { parseQuantity } from "./quantity.ts";

type Amounts = Readonly<Record<string, string>>;

/** The part of a PersistentVolumeClaim that tells sizes. */
type SizedClaim = {
  readonly spec?: { readonly resources?: { readonly requests?: Amounts } };
  readonly status?: { readonly capacity?: Amounts };
};

/** The size that a claim asks for, and the one that its volume has; empty where it is not known. */
export const sizesOf = ({
  spec,
  status,
}: SizedClaim): { readonly requested: string; readonly capacity: string } => ({
  requested: spec?.resources?.requests?.["storage"] ?? "",
  capacity: status?.capacity?.["storage"] ?? "",
});

/** Whether the first quantity is fewer bytes than the second. Of one that is not known or not readable nothing is said: false. */
const isLess = (one: string, other: string): boolean => {
  const [less, more] = [parseQuantity(one), parseQuantity(other)];
  return less !== undefined && more !== undefined && less < more;
};

/** Whether the claim asks for less than `wanted`. One that asks for more is never lowered. */
export const asksForLess = (claim: SizedClaim, wanted: string): boolean =>
  isLess(sizesOf(claim).requested, wanted);

/** Whether its volume is smaller than the claim asks for: it is being made larger, or cannot be. */
export const isGrowing = (claim: SizedClaim): boolean => {
  const { requested, capacity } = sizesOf(claim);
  return isLess(capacity, requested);
};
