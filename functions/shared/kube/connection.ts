import { isDeepStrictEqual } from "node:util";
import { sender } from "../serve/send.ts";
import type { Sender } from "../serve/send.ts";
import type { Access, ReadAccess } from "./access.ts";

/** A process needs no more to the API server, however many events it works on. Watches have their own. */
const MAX_CONNECTIONS = 2;
/** Rotated tokens stay valid for minutes after they were replaced. */
const ACCESS_MS = 60_000;

export type Connected = { readonly access: Access; readonly sender: Sender };

/** Who we are to the API server and the sender to it, kept up to date. */
export type Connection = {
  readonly current: () => Promise<Connected>;
  /** The access was not accepted: the next call reads it anew. */
  readonly forget: () => void;
  readonly close: () => void;
};

export const connection = (readAccess: ReadAccess): Connection => {
  let last: Connected | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Connected> | undefined;
  const read = async (): Promise<Connected> => {
    const access = await readAccess();
    const kept =
      last !== undefined && isDeepStrictEqual(last.access.target, access.target) ? last.sender : undefined;
    // What still runs on an old sender ends by itself: its connections close once they are idle.
    last = { access, sender: kept ?? sender(access.target, MAX_CONNECTIONS) };
    readAt = performance.now();
    return last;
  };
  return {
    current: async () => {
      if (last !== undefined && performance.now() - readAt < ACCESS_MS) return last;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY;
    },
    close: () => last?.sender.close(),
  };
};
