import type { Condition, SampleDB, SampleDBSpec } from "../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "./cluster/index.ts";
import { Hopeless, waitUntil } from "./cluster/wait-until.ts";

// Without a cause it takes seconds: this is for machines that are many times slower, and busy.
const READY_MS = 300_000;

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
  /**
   * Runs SQL in the pod by the Service's name with the credentials of the Secret `<name>`, or of the superuser. Waits until the Service
   * leads to the pod, which is a moment after the pod is Ready.
   */
  readonly sql: (statement: string, as?: "owner" | "superuser") => Promise<string>;
};

const isSampleDB = (value: unknown): value is SampleDB =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "SampleDB";

type Login = { readonly username: string; readonly password: string; readonly database: string };

/** What a Secret says of whom to log in as; empty where it does not say it. */
const loginOf = async (kubectl: Database["kubectl"], secret: string): Promise<Login> => {
  const path = "jsonpath={.data.username} {.data.password} {.data.database}";
  const [username = "", password = "", database = ""] = (await kubectl("get", "secret", secret, "-o", path))
    .split(" ")
    .map((value) => Buffer.from(value, "base64").toString());
  return { username, password, database };
};

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
    timeoutMs: 300_000,
  });
  // A pod that is made before its namespace's service account is refused.
  await waitUntil(() => cluster.kubectl(["get", "serviceaccount", "default", "-n", name]), {
    what: `the service account of namespace ${name}`,
    timeoutMs: 300_000,
  });
};

/** What psql says where a Service's name or address leads nowhere yet: nothing of the statement was run. */
const NO_WAY =
  /could not translate host name|failed: (?:Connection refused|No route to host|timeout expired)/u;

/** Gives what `exec` gives, also its failure, once the Service leads somewhere. */
const throughService = async (exec: () => Promise<string>): Promise<string> => {
  const tried = async (): Promise<PromiseSettledResult<string> | undefined> => {
    const [result] = await Promise.allSettled([exec()]);
    if (result.status === "rejected" && NO_WAY.test(String(result.reason))) throw result.reason;
    return result;
  };
  const options = { what: "the way through the Service", timeoutMs: 120_000, everyMs: 200 };
  const result = await waitUntil(tried, options);
  if (result.status === "rejected") throw result.reason;
  return result.value;
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
      const owner = await loginOf(kubectl, name);
      const { username, password } = as === "owner" ? owner : await loginOf(kubectl, `${name}-superuser`);
      const to = ["-h", name, "-U", username, "-d", owner.database];
      const psql = ["psql", ...to, "-v", "ON_ERROR_STOP=1", "-XAtc", statement];
      const env = ["env", "PGCONNECT_TIMEOUT=10", `PGPASSWORD=${password}`];
      return (await throughService(() => kubectl("exec", `${name}-1-0`, "--", ...env, ...psql))).trim();
    },
  };
};
