import type { Condition, SampleDB, SampleDBSpec } from "../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "./cluster/index.ts";
import { Hopeless, waitUntil } from "./cluster/wait-until.ts";

const READY_MS = 120_000;

/** One SampleDB on a real node, as a user handles it. */
export type Database = {
  readonly namespace: string;
  readonly name: string;
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly apply: (spec: SampleDBSpec) => Promise<string>;
  readonly get: () => Promise<SampleDB>;
  readonly condition: (type: string) => Promise<Condition | undefined>;
  /** Waits for a condition's status and reason, and gives it. */
  readonly until: (type: string, status: Condition["status"], reason?: string) => Promise<Condition>;
  /** Waits for Ready; fails at once when the SampleDB stalls. */
  readonly untilReady: () => Promise<void>;
  /** Runs SQL in the pod by the Service's name with the credentials of the Secret `<name>`, or of the superuser. */
  readonly sql: (statement: string, as?: "owner" | "superuser") => Promise<string>;
};

const isSampleDB = (value: unknown): value is SampleDB =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "SampleDB";

const secretValue = async (kubectl: Database["kubectl"], secret: string, key: string): Promise<string> =>
  Buffer.from(await kubectl("get", "secret", secret, "-o", `jsonpath={.data.${key}}`), "base64").toString();

const seenText = (conditions: readonly Condition[]): string =>
  conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`).join("; ");

const makeNamespace = async (cluster: LocalCluster, name: string): Promise<void> => {
  const namespace = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  };
  // Of two that make it at the same moment one is refused: it finds it there when it tries again.
  await waitUntil(() => cluster.kubectl(["apply", "-f", "-"], JSON.stringify(namespace)), {
    what: `namespace ${name}`,
    timeoutMs: 10_000,
  });
};

/** Makes the namespace, under Pod Security "restricted", if need be. */
export const database = async (
  cluster: LocalCluster,
  namespace: string,
  name = "orders",
): Promise<Database> => {
  await makeNamespace(cluster, namespace);
  const kubectl = (...args: readonly string[]): Promise<string> =>
    cluster.kubectl(["-n", namespace, ...args]);
  const get = async (): Promise<SampleDB> => {
    const found: unknown = JSON.parse(await kubectl("get", "sampledb", name, "-o", "json"));
    if (!isSampleDB(found)) throw new TypeError(`${namespace}/${name} is not a SampleDB`);
    return found;
  };
  // Conditions speak of the spec that the status was made for.
  const current = async (): Promise<readonly Condition[]> => {
    const { metadata, status } = await get();
    return status?.observedGeneration === metadata.generation ? (status?.conditions ?? []) : [];
  };
  const condition = async (type: string): Promise<Condition | undefined> =>
    (await current()).find((each) => each.type === type);
  const wait = (
    what: string,
    isIt: (conditions: readonly Condition[]) => Condition | undefined,
  ): Promise<Condition> => {
    let seen: readonly Condition[] = [];
    return waitUntil(
      async () => {
        seen = await current();
        const found = isIt(seen);
        if (found === undefined) throw new Error(`it has ${seenText(seen)}`);
        return found;
      },
      { what: `${namespace}/${name} to have ${what}`, timeoutMs: READY_MS, everyMs: 250 },
    );
  };
  return {
    namespace,
    name,
    kubectl,
    apply: (spec) =>
      cluster.kubectl(
        ["-n", namespace, "apply", "-f", "-"],
        JSON.stringify({ apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata: { name }, spec }),
      ),
    get,
    condition,
    until: (type, status, reason) =>
      wait(`${type}=${status} ${reason ?? ""}`, (conditions) =>
        conditions.find(
          (each) =>
            each.type === type && each.status === status && (reason === undefined || each.reason === reason),
        ),
      ),
    untilReady: async () => {
      await wait("Ready=True", (conditions) => {
        const stalled = conditions.find((each) => each.type === "Stalled" && each.status === "True");
        if (stalled !== undefined)
          throw new Hopeless(`${namespace}/${name} is stalled: ${seenText([stalled])}`);
        return conditions.find((each) => each.type === "Ready" && each.status === "True");
      });
    },
    sql: async (statement, as = "owner") => {
      const secret = as === "owner" ? name : `${name}-superuser`;
      const user = await secretValue(kubectl, secret, "username");
      const password = await secretValue(kubectl, secret, "password");
      const db = await secretValue(kubectl, name, "database");
      const psql = ["psql", "-h", name, "-U", user, "-d", db, "-v", "ON_ERROR_STOP=1", "-XAtc", statement];
      return (await kubectl("exec", `${name}-1-0`, "--", "env", `PGPASSWORD=${password}`, ...psql)).trim();
    },
  };
};
