import { oneAtATime } from "../kube/one-at-a-time.ts";
import type { PassOptions } from "../kube/pass.ts";
import type { Work } from "./function-app.ts";
import { passesInTurn, runOnKeys } from "./key-passes.ts";

const workOf = (options: PassOptions, inTurn: ReturnType<typeof passesInTurn>): Work => {
  const run = oneAtATime((key) => inTurn({ options, key }));
  return (event) => runOnKeys(event, run);
};

/** The works of a process that serves `functions`: `/` is a pass of all of them, `/<name>` of one. */
export const reconcileWorks = (options: PassOptions): Readonly<Record<string, Work>> => {
  const inTurn = passesInTurn();
  return {
    "/": workOf(options, inTurn),
    ...Object.fromEntries(
      options.functions.map((each) => [`/${each.name}`, workOf({ ...options, functions: [each] }, inTurn)]),
    ),
  };
};
