import { basename } from "node:path";
import { FAMILIES } from "./families.ts";
import type { Family } from "./families.ts";

/** One kustomization that a user may have. */
export type Plan = {
  readonly name: string;
  readonly family: Family;
  readonly components: readonly string[];
  /** Undefined: the family's own. */
  readonly elsewhere?: string;
};

const mayStandTogether = ({ never = [] }: Family, chosen: readonly string[]): boolean =>
  !never.some((pair) => pair.every((path) => chosen.includes(path)));

/** These and whatever else may stand beside them, in their order. */
const filledUp = (family: Family, start: readonly string[]): readonly string[] => {
  const chosen = [...start];
  for (const path of family.components ?? [])
    if (!chosen.includes(path) && mayStandTogether(family, [...chosen, path])) chosen.push(path);
  return (family.components ?? []).filter((path) => chosen.includes(path));
};

/**
 * None, each alone, and as many together as may be, so often that each pair that may be is in one: with those each component meets
 * each other both there and absent.
 */
const choices = (family: Family): readonly (readonly string[])[] => {
  const { components = [] } = family;
  const pairs = components.flatMap((first, nth) =>
    components.slice(nth + 1).map((second) => [first, second]),
  );
  const many: (readonly string[])[] = [];
  for (const pair of pairs.filter((each) => mayStandTogether(family, each)))
    if (!many.some((chosen) => pair.every((path) => chosen.includes(path))))
      many.push(filledUp(family, pair));
  return [[], ...components.map((path) => [path]), ...many];
};

const named = (family: Family, components: readonly string[], elsewhere?: string): Plan => ({
  name: [
    family.name,
    ...components.map((path) => basename(path)),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ].join(" + "),
  family,
  components,
  ...(elsewhere !== undefined && { elsewhere }),
});

const plansOf = (family: Family): readonly Plan[] => {
  const chosen = choices(family);
  const here = chosen.map((components) => named(family, components));
  if (family.resources.includes("crds")) return here;
  const most = chosen.toSorted((one, other) => one.length - other.length).at(-1) ?? [];
  return [...here, named(family, most, "databases")];
};

/** Every family with the components that are meant for it, and once with all of them in a namespace of the user's own. */
export const PLANS: readonly Plan[] = FAMILIES.flatMap((family) => plansOf(family));
