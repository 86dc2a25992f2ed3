/** What may happen to an event on its way. One event meets one of them at most. */
export const EVENT_FAULTS = [
  "drop",
  "double",
  "delay",
  "reorder",
  "batch",
  "replay",
  "both",
  /** SIGKILL while the request is in flight, at a certain write of its pass. */
  "kill",
  /** The instance is dead when the event is sent to it. */
  "dead",
  /** A gateway in between answers instead. */
  "gateway",
  /** The function's answer is lost, so that the sender takes it for a failure. */
  "lost answer",
] as const;

/** What only some ways have. */
type WayFault =
  /** Whoever watches starts again: what waits there is forgotten, and some changes are not seen. */
  | "gap"
  /** The queue's worker starts again: what it was calling is called twice, what waits stands still and comes in another order. */
  | "worker restart"
  /** The queue starts again: what waits is lost, and nothing is taken for a moment. */
  | "queue lost";
export type EventFault = (typeof EVENT_FAULTS)[number] | WayFault;

/** What may happen to a function's call to the API server. */
export const CALL_FAULTS = ["unavailable", "overloaded", "cut before", "cut after", "slow"] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

export type Fault = EventFault | CallFault;
