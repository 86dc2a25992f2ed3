import type { Key } from "../../../functions/shared/api/key.ts";
import type { EventFault } from "./faults.ts";
import type { Sent } from "./sending.ts";
import type { WireEvent } from "./wire-event.ts";

/** An event with what decisions about it are bound to. */
export type Letter = {
  readonly label: string;
  readonly key: Key;
  /** Kind: events of one kind may have to go one after the other. */
  readonly line: string;
  readonly event: WireEvent;
};

/** Which send of a letter it is, from 0 on; to which instance, where that is not for the seed to say; to which function, all of them by default. */
export type At = { readonly tries: number; readonly to?: 0 | 1 | undefined; readonly path?: string };

/** Sends a letter once. */
export type Post = (letter: Letter, fault: EventFault | undefined, at: At) => Promise<Sent>;

/** Brings letters to functions, in its own order and as often as it likes. */
export type Way = {
  readonly take: (letter: Letter, fault: EventFault | undefined, to?: 0 | 1) => void;
  /** What waits is forgotten: its sender begins anew. */
  readonly forget: () => void;
  /** Letters that wait or are in flight. */
  readonly pending: () => number;
};

/** What a way is built from. */
export type WayParts = {
  readonly post: Post;
  readonly seed: number;
  /** Waits for so many milliseconds of real life, which are fewer here. */
  readonly pause: (ms: number) => Promise<unknown>;
  readonly say: (line: string) => void;
  readonly isFaulty: () => boolean;
};
