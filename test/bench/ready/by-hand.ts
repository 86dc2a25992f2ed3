import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import type { Catalog } from "../../../functions/shared/api/catalog.ts";
import type { Writable } from "../../../functions/shared/kube/action.ts";
import type { ReconcileFunction } from "../../../functions/shared/kube/reconcile-function.ts";
import { ImaginedCluster, planContext } from "../../support/imagined-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

/** The function, and every object that it wants made as it goes. */
const recording = (of: ReconcileFunction, made: Writable[]): ReconcileFunction => ({
  ...of,
  plan: (observed, context) => {
    const actions = of.plan(observed, context);
    made.push(...actions.flatMap((action) => ("object" in action ? [action.object] : [])));
    return actions;
  },
});

/**
 * The objects that the functions would make for a SampleDB of defaults, as one list to apply at once: the same Secrets, claim,
 * StatefulSet and init Job. Their labels are of another domain, so that no function takes them for its own.
 */
export const byHand = (namespace: string, name: string, catalog: Catalog): string => {
  const made: Writable[] = [];
  new ImaginedCluster(makeSampleDB({ metadata: { name, namespace } })).converge(
    [recording(provision, made), recording(initialize, made)],
    planContext({ catalog }),
  );
  // The first form of each: later ones speak of a database that already ran.
  const first = new Map(
    made.toReversed().map((object) => [`${object.kind} ${object.metadata?.name}`, object]),
  );
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: [...first.values()] });
  return list.replaceAll("sampledb.dev/", "by-hand.example.com/");
};
