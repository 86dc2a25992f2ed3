/** An object as a client sends it. */
export type Sent = Readonly<Record<string, unknown>>;

/** A SampleDB that leaves nothing open and of which there is nothing to say. */
export const COMPLETE: Sent = {
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name: "orders", namespace: "shop", finalizers: ["sampledb.dev/retire"] },
  spec: {
    version: "17",
    image: "registry.example.com/postgres:17.5-bookworm",
    storage: { size: "10Gi", storageClassName: "fast" },
    database: { name: "orders", owner: "keeper" },
    resources: { requests: { cpu: "500m", memory: "512Mi" }, limits: { cpu: "2", memory: "1Gi" } },
    deletion: { policy: "Retain", protection: true },
    paused: false,
  },
};

/** The object with another value at a path such as `spec.storage.size`; undefined leaves it out. */
export const withValue = (object: Sent, path: string, value: unknown): Sent => {
  const [field = "", ...rest] = path.split(".");
  if (rest.length > 0) return { ...object, [field]: withValue(Object(object[field]), rest.join("."), value) };
  const { [field]: _replaced, ...others } = object;
  return value === undefined ? others : { ...others, [field]: value };
};

/** `isRight`: the API server itself takes it, so that both webhooks are asked. */
export type Deviation = { readonly title: string; readonly object: Sent; readonly isRight: boolean };

/** Whatever stands in the way of being plainly right; the first value of each path is one that the API server takes, where there is one. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  "metadata.finalizers": [undefined, ["example.com/other"]],
  spec: [undefined, {}],
  "spec.version": [undefined],
  "spec.image": [
    "postgres:17",
    "postgres:17-alpine",
    "registry.example.com/postgres:stable",
    "postgres:17.5-alpine3.20",
    "registry.example.com/extension:2.17.2-pg17",
  ],
  "spec.storage": [undefined, {}],
  "spec.storage.size": [undefined, "512Mi", 10_737_418_240, "1e9", "1.5Gi"],
  "spec.database": [undefined, {}],
  "spec.database.name": [undefined, "select"],
  "spec.database.owner": [undefined, "user"],
  "spec.init": [[{ configMapKeyRef: { name: "schema", key: "a.sql" } }]],
  "spec.resources": [undefined, {}],
  "spec.resources.requests": [undefined, { cpu: "500m" }],
  "spec.resources.requests.cpu": [undefined, 1, "0.5"],
  "spec.resources.requests.memory": [undefined, "100M"],
  "spec.resources.requests.ephemeral-storage": ["1Gi"],
  "spec.resources.limits": [undefined, { memory: "1Gi" }],
  "spec.resources.limits.cpu": [undefined, 2],
  "spec.resources.limits.memory": [undefined, 1_073_741_824],
  "spec.deletion.policy": ["Wipe"],
  "spec.paused": [true],
};

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  "metadata.name": ["orders.one", "orders-headless", "orders-superuser", "1orders", "a".repeat(41)],
  spec: [[], "nothing", 1],
  "spec.version": ["14", "17.5", 17, true, [], {}],
  "spec.image": [
    "",
    "postgres",
    "postgres:latest",
    "postgres:16.5",
    "postgres:17.5-pg16",
    "Postgres:17.5",
    17,
    {},
    `a:17.5@sha256:${"0".repeat(63)}`,
    `${"a".repeat(500)}:17.5`,
  ],
  "spec.storage": [[], "10Gi"],
  "spec.storage.size": ["0Gi", "10gb", "-1Gi", "9999999999999Gi", true, {}, ""],
  "spec.storage.storageClassName": ["Fast", "", 1, "a".repeat(254), []],
  "spec.database": [[], "orders"],
  "spec.database.name": ["postgres", "pg_orders", "Orders", "my-orders", 1, "a".repeat(64), []],
  "spec.database.owner": ["postgres", "public", "none", "sampledb", "pg_keeper", "", {}],
  "spec.init": [[{}], {}, "schema.sql"],
  "spec.resources": [[], "much"],
  "spec.resources.requests": [[], 1],
  "spec.resources.requests.cpu": ["4", "0m", "many", {}],
  "spec.resources.requests.memory": ["2Gi", "512m", "512MB", []],
  "spec.resources.limits": [[], true],
  "spec.resources.limits.cpu": ["100m", "", {}],
  "spec.resources.limits.memory": ["64Mi", "256Mi", "0Gi", "1gi"],
  "spec.deletion": [[], "Retain"],
  "spec.deletion.policy": ["retain", 1, {}],
  "spec.deletion.protection": ["true", 1],
  "spec.paused": ["false", 0],
};

const shown = (value: unknown): string =>
  value === undefined ? "missing" : JSON.stringify(value).replace(/(.)\1{20,}/gu, "$1…");

const deviating = (
  values: Readonly<Record<string, readonly unknown[]>>,
  isRight: boolean,
): readonly Deviation[] =>
  Object.entries(values).flatMap(([path, each]) =>
    each.map((value) => ({
      title: `${path} is ${shown(value)}`,
      object: withValue(COMPLETE, path, value),
      isRight,
    })),
  );

/** Objects that differ from the complete one in a single value, each of which the functions have to see. */
export const deviations = (): readonly Deviation[] => [...deviating(RIGHT, true), ...deviating(WRONG, false)];
