import { describe, it } from "node:test";
import assert from "node:assert/strict";
import { array, assert as check, constant, nat, oneof, property, subarray } from "fast-check";

import type { DeletionPolicy } from "../../../functions/shared/api/sampledb.ts";
import { pass, planFor, runToEnd } from "./run-world.ts";
import { children, deletedWorld, foreignNames, leftBy } from "./worlds.ts";

type Disturbance =
  | { readonly what: "tick" }
  | { readonly what: "pass killed"; readonly after: number }
  | { readonly what: "stale pass"; readonly ticks: number };

const disturbances = array(
  oneof(
    constant<Disturbance>({ what: "tick" }),
    nat(6).map((after): Disturbance => ({ what: "pass killed", after })),
    nat(2).map((ticks): Disturbance => ({ what: "stale pass", ticks })),
  ),
  { maxLength: 20 },
);

describe("every retirement", () => {
  const policies: readonly DeletionPolicy[] = ["Retain", "Wipe"];
  for (const policy of policies) {
    it(`${policy}: ends alike, whatever child is missing and however passes are killed, doubled and delayed`, () => {
      check(
        property(disturbances, subarray([...children]), (events, entries) => {
          const undisturbed = deletedWorld(policy, { entries });
          runToEnd(undisturbed);
          const world = deletedWorld(policy, { entries });
          for (const event of events) {
            if (event.what === "tick") world.tick();
            else if (event.what === "pass killed") pass(world, event.after);
            else {
              const stale = planFor(world);
              for (let tick = 0; tick < event.ticks; tick += 1) {
                pass(world);
                world.tick();
              }
              for (const action of stale) world.carryOut(action);
            }
          }
          runToEnd(world);
          assert.deepEqual(world.names(), undisturbed.names());
          // A volume without its claim is proved by nothing, so it stays under either policy.
          const mayStay = new Set([...leftBy[policy], "PersistentVolume pv-orders"]);
          assert.ok(world.names().every((name) => mayStay.has(name)));
          assert.ok(foreignNames.every((name) => world.names().includes(name)));
        }),
        { numRuns: 300 },
      );
    });
  }
});
