import type { CloudEvent } from "cloudevents";
import { keysOf } from "../api/keys-of.ts";
import { keyText } from "../api/key.ts";
import type { Key } from "../api/key.ts";
import { Fault } from "../kube/fault.ts";
import { atMost } from "../kube/at-most.ts";
import { pass } from "../kube/pass.ts";
import type { PassOptions, PassOutcome } from "../kube/pass.ts";
import type { Reply } from "./function-app.ts";
import { hintOf } from "./hint-of.ts";
import { log, withFields } from "./log.ts";
import { inSpan } from "./trace.ts";

type Outcome = PassOutcome | "unavailable" | "bug";

/** Worst first: that one is told. */
const OUTCOMES = [
  "unavailable",
  "bug",
  "unreadable",
  "overdue",
  "conflict",
  "abandoned",
  "settled",
  "not-ours",
] as const;

const outcomeOf = async (run: (key: Key) => Promise<PassOutcome>, key: Key): Promise<Outcome> => {
  try {
    return await run(key);
  } catch (cause) {
    const outcome = cause instanceof Fault && cause.sort === "unavailable" ? "unavailable" : "bug";
    const message = cause instanceof Error ? cause.message : String(cause);
    // The API server's absence is told, and mended by a later delivery; a bug is not.
    log({ level: outcome === "bug" ? "error" : "warning", message, outcome });
    return outcome;
  }
};

/** Has `run` work on each key that the event names, and answers by the worst outcome: 503 where the API server cannot be used. Never rejects. */
export const runOnKeys = async (
  event: CloudEvent<unknown> | undefined,
  run: (key: Key) => Promise<PassOutcome>,
): Promise<Reply> => {
  const keys = event === undefined ? [] : keysOf(hintOf(event));
  if (keys.length === 0) return { status: 204, outcome: "no-key" };
  const outcomes = await Promise.all(
    keys.map((key) => withFields({ key: keyText(key) }, () => outcomeOf(run, key))),
  );
  const outcome = OUTCOMES.find((each) => outcomes.includes(each)) ?? "settled";
  const fields = { key: keys.map(keyText).join(" ") };
  return { status: outcome === "unavailable" ? 503 : 204, outcome, fields };
};

type Turn = { readonly options: PassOptions; readonly key: Key };

/** Passes at once, of all works of a process. They share two connections, so that more of them would only take longer each. */
const MAX_PASSES = 4;

/** A pass in a span. One that several events wait for is in the trace of the first of them, and its lines carry that one's id. */
const tracedPass = ({ options, key }: Turn): Promise<PassOutcome> =>
  inSpan({ name: "pass", attributes: { "sampledb.key": keyText(key) } }, async (span) => {
    const outcome = await pass(options, key);
    span.set({ "sampledb.outcome": outcome });
    return outcome;
  });

/** Passes that wait for their turn: one such for all works of a process. */
export const passesInTurn = (): ((turn: Turn) => Promise<PassOutcome>) => atMost(MAX_PASSES, tracedPass);
