import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import type { PlainApi } from "../../support/plain-api.ts";

/** Requests at once: a user who applies many. */
export const AT_ONCE = 8;

export const NAMESPACE = "bench";
const SAMPLEDBS = pathOf("SampleDB", { namespace: NAMESPACE });

/** Children that a user may delete by hand without harm to data, in turn. */
export const DELETABLE = [
  { kind: "Service", suffix: "" },
  { kind: "ConfigMap", suffix: "" },
  { kind: "PodDisruptionBudget", suffix: "" },
  { kind: "Service", suffix: "-headless" },
] as const;

type Deletable = (typeof DELETABLE)[number]["kind"];

export const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `orders-${String(index).padStart(4, "0")}`);

const forEach = async (
  names: readonly string[],
  work: (name: string, index: number) => Promise<unknown>,
): Promise<void> => {
  const line = names.entries();
  const worker = async (): Promise<void> => {
    for (const [index, name] of line) await work(name, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

export const makeNamespace = (api: PlainApi): Promise<unknown> =>
  api.call("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: NAMESPACE },
  });

/** As `mutate` would let them through: with the finalizer and the version. */
export const create = (api: PlainApi, names: readonly string[]): Promise<void> =>
  forEach(names, (name) =>
    api.call("POST", SAMPLEDBS, {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name, namespace: NAMESPACE, finalizers: ["sampledb.dev/retire"] },
      spec: { version: "17" },
    }),
  );

const MEMORY = "300Mi";

export const edit = (api: PlainApi, names: readonly string[]): Promise<void> =>
  forEach(names, (name) =>
    api.call("PATCH", `${SAMPLEDBS}/${name}`, { spec: { resources: { requests: { memory: MEMORY } } } }),
  );

/** The child of the SampleDB at this place in the line that is deleted. */
export const childOf = (
  name: string,
  index: number,
): { readonly kind: Deletable; readonly child: string } => {
  const { kind, suffix } = DELETABLE[index % DELETABLE.length] ?? DELETABLE[0];
  return { kind, child: `${name}${suffix}` };
};

export const deleteChildren = (api: PlainApi, names: readonly string[]): Promise<void> =>
  forEach(names, (name, index) => {
    const { kind, child } = childOf(name, index);
    return api.call("DELETE", pathOf(kind, { namespace: NAMESPACE, name: child }));
  });

const STATEFUL_SETS = pathOf("StatefulSet", { namespace: NAMESPACE });

type Sets = {
  readonly items: readonly {
    readonly spec: {
      readonly template: {
        readonly spec: {
          readonly containers: readonly [
            { readonly resources: { readonly requests: Readonly<Record<string, string>> } },
          ];
        };
      };
    };
  }[];
};

/** StatefulSets that carry the edit. */
export const edited = async (api: PlainApi): Promise<number> => {
  const list = await api.call("GET", STATEFUL_SETS);
  // The shape is the API server's own.
  const { items }: Sets = JSON.parse(JSON.stringify(list));
  return items.filter((set) => set.spec.template.spec.containers[0].resources.requests["memory"] === MEMORY)
    .length;
};
