import type { PassOptions } from "../shared/kube/pass.ts";
import type { Work } from "../shared/serve/function-app.ts";
import { passesInTurn, runOnKeys } from "../shared/serve/key-passes.ts";
import { log, short } from "../shared/serve/log.ts";
import type { Metrics } from "../shared/serve/metrics.ts";
import { letterOf } from "./letter.ts";
import { undelivered } from "./undelivered.ts";

/** Counts each letter, one that comes again too, and has it told on every SampleDB that it may be about. */
export const undeliveredWork = (surroundings: Omit<PassOptions, "functions">, metrics: Metrics): Work => {
  const letters = metrics.counter(
    "sampledb_undelivered_events_total",
    "Events that were given up, by the function that did not take them and its last answer.",
    ["destination", "code"],
  );
  const inTurn = passesInTurn();
  return async (event) => {
    // A plain timer that knocks.
    if (event === undefined) return { status: 204, outcome: "no-key" };
    const letter = letterOf(event);
    const fields = { destination: letter.to, code: letter.code };
    letters.inc(fields);
    log({ level: "warning", message: "an event was given up", type: short(event.type), ...fields });
    const options: PassOptions = { ...surroundings, functions: [undelivered(letter)] };
    const reply = await runOnKeys(event, (key) => inTurn({ options, key }));
    return { ...reply, fields: { ...reply.fields, ...fields } };
  };
};
