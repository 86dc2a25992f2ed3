import { keyOf } from "../shared/api/key-of.ts";
import type { Key } from "../shared/api/key.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import type { FollowOptions } from "./follow.ts";
import { KnownKeys } from "./known-keys.ts";
import { once } from "./once.ts";

type Listener = Pick<FollowOptions, "onItem" | "onListing" | "onListed">;

export type Teller = {
  /** For the follower of a kind. */
  readonly of: (kind: Kind) => Listener;
  /** Tells every SampleDB of a namespace. */
  readonly tellAllIn: (namespace: string) => void;
};

/**
 * What the follower of each kind tells goes to `tell`. After a gap, in whatever kind, every SampleDB is told: a child that went away
 * unseen is in no list of its kind. Several kinds that list again at about the same time do so because of one gap: it is told once.
 */
export const teller = (tell: (key: Key) => void, wait: (ms: number) => Promise<unknown>): Teller => {
  const known = new KnownKeys();
  const catchUp = once(() => {
    for (const key of known.all()) tell(key);
  }, wait);
  const of = (kind: Kind): Listener => {
    let isCatchingUp = false;
    return {
      onListing: (isFirst) => {
        isCatchingUp = !isFirst;
        if (kind === "SampleDB") known.listing();
      },
      onItem: (item, why) => {
        const key = keyOf(kind, item);
        if (key === undefined) return;
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
  const tellAllIn = (namespace: string): void => {
    for (const key of known.all()) if (key.namespace === namespace) tell(key);
  };
  return { of, tellAllIn };
};
