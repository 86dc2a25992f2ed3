import type { Check } from "../build.ts";
import { containersOf } from "../workload.ts";

/** Every container asks for memory and CPU and has a limit of both. */
export const resources: Check = ({ workloads }) =>
  workloads.flatMap(({ what, ...rest }) =>
    containersOf({ what, ...rest }).flatMap(([at, { resources: given = {} }]) =>
      (["requests", "limits"] as const).flatMap((part) =>
        (["cpu", "memory"] as const)
          .filter((amount) => given[part]?.[amount] === undefined)
          .map((amount) => `${what}: ${at}.resources.${part}.${amount} is missing`),
      ),
    ),
  );
