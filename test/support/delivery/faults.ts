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
export type EventFault = (typeof EVENT_FAULTS)[number];

/** What may happen to a function's call to the API server. */
export const CALL_FAULTS = ["unavailable", "overloaded", "cut before", "cut after", "slow"] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

export const FAULTS = [...EVENT_FAULTS, ...CALL_FAULTS] as const;
export type Fault = EventFault | CallFault;
