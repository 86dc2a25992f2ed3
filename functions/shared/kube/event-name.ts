import { createHash } from "node:crypto";

/**
 * Name of an Event about a SampleDB (or what is left of one) of this name, by what it tells: the same in every pass and process, so that it is told by one of
 * them, once for as long as an Event lasts.
 */
export const eventName = (sampledb: string, told: readonly string[]): string =>
  `${sampledb}.${createHash("sha256").update(told.join("\n")).digest("hex").slice(0, 16)}`;
