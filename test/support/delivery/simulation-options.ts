import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Fault } from "./faults.ts";
import type { Feed } from "./feed.ts";
import type { Instances } from "./instance.ts";
import type { Plan } from "./plan.ts";

/** Where simulations run: a real API server, what happens in it, and two real processes. */
type Stage = {
  readonly api: ApiServer;
  readonly feed: Feed;
  readonly instances: Instances;
};

export type SimulationOptions = {
  readonly stage: Stage;
  readonly plan: Plan;
  readonly namespace: string;
  /** `serial`: one event after the other, without faults; the user acts when nothing happens. */
  readonly mode: "faulty" | "serial";
  /** How each SampleDB has to end, by name; undefined: only as its story says. */
  readonly expected?: ReadonlyMap<string, string>;
};

/** What came of a simulation. It is as it should be when nothing is broken. */
export type Result = {
  readonly broken: readonly string[];
  /** How each SampleDB ended, by name. */
  readonly ends: ReadonlyMap<string, string>;
  readonly trace: readonly string[];
  readonly tally: ReadonlyMap<Fault, number>;
};
