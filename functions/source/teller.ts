import type { Key } from "../shared/api/key.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import type { FollowOptions } from "./follow.ts";
import { KnownKeys } from "./known-keys.ts";
import { once } from "./once.ts";

type Listener = Pick<FollowOptions, "onKey" | "onListing" | "onListed">;

/**
 * What the follower of each kind tells goes to `tell`. After a gap, in whatever kind, every SampleDB is told: a child that went away
 * unseen is in no list of its kind. Several kinds that list again at about the same time do so because of one gap: it is told once.
 */
export const teller = (
  tell: (key: Key) => void,
  wait: (ms: number) => Promise<unknown>,
): ((kind: Kind) => Listener) => {
  const known = new KnownKeys();
  const catchUp = once(() => {
    for (const key of known.all()) tell(key);
  }, wait);
  return (kind) => {
    let isCatchingUp = false;
    return {
      onListing: (isFirst) => {
        isCatchingUp = !isFirst;
        if (kind === "SampleDB") known.listing();
      },
      onKey: (key, why) => {
        const isToldLater = isCatchingUp && why === "listed" && known.has(key);
        if (kind === "SampleDB") known.heard(key, why === "gone");
        if (!isToldLater) tell(key);
      },
      onListed: () => {
        if (kind === "SampleDB") known.listed().forEach(tell);
        if (isCatchingUp) catchUp();
      },
    };
  };
};
