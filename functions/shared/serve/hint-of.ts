import type { CloudEvent } from "cloudevents";
import type { Hint } from "../api/keys-of.ts";

/** The parts of an event in which a key may stand. */
export const hintOf = (event: CloudEvent<unknown>): Hint => ({
  kind: event["kind"],
  namespace: event["namespace"],
  name: event["name"],
  data: event.data,
});
