import type { FollowOptions } from "./follow.ts";

export type ServedNamespaces = {
  readonly has: (namespace: string) => boolean;
  /** Resolves once it is known of every namespace. */
  readonly listed: Promise<void>;
  /** For who follows the namespaces that the release selects. */
  readonly listener: Pick<FollowOptions, "onItem" | "onListing" | "onListed">;
};

/** The namespaces that are ours, as far as was heard. `onServed` is told of each that becomes so: whatever is in it, nobody told us of it. */
export const servedNamespaces = (onServed: (namespace: string) => void): ServedNamespaces => {
  let names = new Set<string>();
  /** Of the list that is being read. */
  let listing = new Set<string>();
  const { promise: listed, resolve } = Promise.withResolvers<void>();
  return {
    has: (namespace) => names.has(namespace),
    listed,
    listener: {
      onListing: () => {
        listing = new Set();
      },
      onItem: ({ name = "" }, why) => {
        // To a watch by label, one whose label changed is gone like one that was deleted.
        if (why === "gone") {
          names.delete(name);
          return;
        }
        const isNew = !names.has(name);
        // After a list they are one set.
        listing.add(name);
        names.add(name);
        if (isNew) onServed(name);
      },
      onListed: () => {
        names = listing;
        resolve();
      },
    },
  };
};
