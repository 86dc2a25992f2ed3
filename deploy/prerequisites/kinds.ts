import type { KubeObject } from "../shared/rendered.ts";
import { groupOf, servedAs } from "../shared/served-kinds.ts";
import { type Finding, missing } from "./finding.ts";
import type { Seen } from "./seen.ts";

/** Who brings a kind, by the end of its group. */
const PRODUCTS: readonly (readonly [string, string, string])[] = [
  ["serving.knative.dev", "Knative Serving", "https://knative.dev/docs/install"],
  ["networking.internal.knative.dev", "Knative Serving", "https://knative.dev/docs/install"],
  ["sources.knative.dev", "Knative Eventing", "https://knative.dev/docs/install"],
  ["eventing.knative.dev", "Knative Eventing", "https://knative.dev/docs/install"],
  ["messaging.knative.dev", "Knative Eventing", "https://knative.dev/docs/install"],
  ["cert-manager.io", "cert-manager", "https://cert-manager.io/docs/installation"],
];

const OUR_GROUP = "sampledb.dev";

const productOf = (group: string): readonly [string, string] => {
  const found = PRODUCTS.find(([suffix]) => group === suffix || group.endsWith(`.${suffix}`));
  return found === undefined
    ? [`the API group ${group}`, "install what serves it"]
    : [found[1], `install it: ${found[2]}`];
};

/** The kinds of rendered objects that this cluster does not serve, one finding for each product that brings them. */
export const kindFindings = (rendered: readonly KubeObject[], { kinds }: Seen): readonly Finding[] => {
  const unknown = rendered.filter(
    (object) => groupOf(object.apiVersion) !== OUR_GROUP && servedAs(kinds, object) === undefined,
  );
  const byProduct = Map.groupBy(unknown, ({ apiVersion }) => productOf(groupOf(apiVersion))[0]);
  return [...byProduct].map(([product, objects]) => {
    const names = new Set(objects.map(({ apiVersion, kind }) => `${kind} (${apiVersion})`));
    const [first] = objects;
    const [, remedy] = productOf(groupOf(first?.apiVersion ?? ""));
    return missing(product, `the cluster does not serve ${[...names].toSorted().join(", ")}`, remedy);
  });
};
