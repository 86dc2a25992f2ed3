import type { Profile } from "./profiles.ts";

/**
 * Where a profile's events go in a process of `reconcile`: to all of its functions at once, or to each of them, which then reads and writes on
 * its own, as it does where each is deployed alone. That they share processes means only that they die together.
 */
export const pathsOf = ({ trigger }: Profile): readonly string[] =>
  trigger === undefined ? ["/"] : ["/provision", "/initialize", "/retire", "/report"];
