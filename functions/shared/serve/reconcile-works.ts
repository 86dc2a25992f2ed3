import { keysOf } from "../api/keys-of.ts";
import { keyText } from "../api/key.ts";
import type { Key } from "../api/key.ts";
import { Fault } from "../kube/fault.ts";
import { atMost } from "../kube/at-most.ts";
import { oneAtATime } from "../kube/one-at-a-time.ts";
import { pass } from "../kube/pass.ts";
import type { PassOptions, PassOutcome } from "../kube/pass.ts";
import type { Reply, Work } from "./function-app.ts";
import { hintOf } from "./hint-of.ts";
import { log, withFields } from "./log.ts";
import { inSpan } from "./trace.ts";

type Outcome = PassOutcome | "unavailable" | "bug";

/** Worst first: that one is told. */
const OUTCOMES = ["unavailable", "bug", "unreadable", "conflict", "abandoned", "settled"] as const;

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

type Turn = { readonly options: PassOptions; readonly key: Key };

/** Passes at once, of all works of a process. They share two connections, so that more of them would only take longer each. */
const MAX_PASSES = 4;

const workOf = (options: PassOptions, inTurn: (turn: Turn) => Promise<PassOutcome>): Work => {
  const run = oneAtATime((key) => inTurn({ options, key }));
  return async (event): Promise<Reply> => {
    const keys = event === undefined ? [] : keysOf(hintOf(event));
    if (keys.length === 0) return { status: 204, outcome: "no-key" };
    const outcomes = await Promise.all(
      keys.map((key) => withFields({ key: keyText(key) }, () => outcomeOf(run, key))),
    );
    const outcome = OUTCOMES.find((each) => outcomes.includes(each)) ?? "settled";
    const fields = { key: keys.map(keyText).join(" ") };
    return { status: outcome === "unavailable" ? 503 : 204, outcome, fields };
  };
};

/** A pass in a span. One that several events wait for is in the trace of the first of them, and its lines carry that one's id. */
const tracedPass = ({ options, key }: Turn): Promise<PassOutcome> =>
  inSpan({ name: "pass", attributes: { "sampledb.key": keyText(key) } }, async (span) => {
    const outcome = await pass(options, key);
    span.set({ "sampledb.outcome": outcome });
    return outcome;
  });

/** The works of a process that serves `functions`: `/` is a pass of all of them, `/<name>` of one. */
export const reconcileWorks = (options: PassOptions): Readonly<Record<string, Work>> => {
  const inTurn = atMost(MAX_PASSES, tracedPass);
  return {
    "/": workOf(options, inTurn),
    ...Object.fromEntries(
      options.functions.map((each) => [`/${each.name}`, workOf({ ...options, functions: [each] }, inTurn)]),
    ),
  };
};
