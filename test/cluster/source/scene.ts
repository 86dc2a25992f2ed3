import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { accountKubeconfig } from "../../support/account-kubeconfig.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { manifestsIn } from "../../support/kustomize/manifest-files.ts";
import type { Manifest } from "../../support/kustomize/manifest-files.ts";
import { until } from "../../support/until.ts";
import { keySink } from "./key-sink.ts";
import type { KeySink } from "./key-sink.ts";
import { openPath } from "./path.ts";
import type { Path } from "./path.ts";

const NAMESPACE = "shop";

/** `source`, as its own account with its own rights, between a real API server and a sink; everything in namespace `shop`. */
export type Scene = AsyncDisposable & {
  readonly cluster: LocalCluster;
  readonly path: Path;
  readonly sink: KeySink;
  /** kubectl in `shop`, as administrator. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly apply: (...objects: readonly object[]) => Promise<string>;
  /** A SampleDB, without kubectl, which takes its time. */
  readonly createSampleDB: (name: string) => Promise<void>;
  /** SampleDBs `many-0`, `many-1` and so on. */
  readonly createMany: (count: number) => Promise<void>;
  /** Changes each of them. */
  readonly touchMany: (count: number) => Promise<void>;
  /** A ConfigMap that says to be a child of that SampleDB, without kubectl. */
  readonly createChild: (name: string, database?: string) => Promise<void>;
  readonly remove: (kind: "ConfigMap" | "SampleDB", name: string) => Promise<void>;
  readonly start: (env?: Readonly<Record<string, string>>) => FunctionProcess;
};

const role = (): Manifest => {
  const found = manifestsIn("base/functions/source.yaml").find(({ kind }) => kind === "ClusterRole");
  if (found === undefined) throw new Error("source has no ClusterRole");
  return found;
};

/** The rights of `source`, as in manifests/base, and `source`'s account in `shop`, which has them. */
export const rights = (): { readonly role: Manifest; readonly binding: object } => ({
  role: role(),
  binding: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "source" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role().metadata.name },
    subjects: [{ kind: "ServiceAccount", name: "source", namespace: NAMESPACE }],
  },
});

export const child = (name: string, database = name): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: NAMESPACE, labels: { [LABEL.database]: database } },
});

export const sampleDB = (name: string): object => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: NAMESPACE },
  spec: {},
});

const limited = (): AbortSignal => AbortSignal.timeout(60_000);

const createSampleDB = async (api: ApiServer, name: string): Promise<void> => {
  const path = pathOf("SampleDB", { namespace: NAMESPACE });
  await api.call({ method: "POST", path, body: sampleDB(name), signal: limited() });
};

const touch = async (api: ApiServer, name: string): Promise<void> => {
  const path = pathOf("SampleDB", { namespace: NAMESPACE, name });
  const body = { metadata: { annotations: { "example.com/touched": `${Date.now()}` } } };
  const contentType = "application/merge-patch+json";
  await api.call({ method: "PATCH", path, contentType, body, signal: limited() });
};

/** At a time. */
const BATCH = 50;

const forMany = async (count: number, work: (name: string) => Promise<void>): Promise<void> => {
  for (let first = 0; first < count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => `many-${first + i}`);
    await Promise.all(batch.map((name) => work(name)));
  }
};

type Calls = "createSampleDB" | "createMany" | "touchMany" | "createChild" | "remove";

const calls = (api: ApiServer): Pick<Scene, Calls> => ({
  createSampleDB: (name) => createSampleDB(api, name),
  createMany: (count) => forMany(count, (name) => createSampleDB(api, name)),
  touchMany: (count) => forMany(count, (name) => touch(api, name)),
  createChild: async (name, database) => {
    const path = pathOf("ConfigMap", { namespace: NAMESPACE });
    await api.call({ method: "POST", path, body: child(name, database), signal: limited() });
  },
  remove: async (kind, name) => {
    const path = pathOf(kind, { namespace: NAMESPACE, name });
    await api.call({ method: "DELETE", path, signal: limited() });
  },
});

const authorityOf = async ({ kubectl }: LocalCluster): Promise<string> => {
  const field = "jsonpath={.clusters[0].cluster.certificate-authority-data}";
  return Buffer.from(await kubectl(["config", "view", "--raw", "-o", field]), "base64").toString();
};

const kubeconfigThrough = async (cluster: LocalCluster, url: string): Promise<string> => {
  const text = await accountKubeconfig(cluster.kubectl, "source", NAMESPACE);
  const config: { clusters: readonly { name: string }[] } = JSON.parse(text);
  const clusters = config.clusters.map(({ name }) => ({ name, cluster: { server: url } }));
  return JSON.stringify({ ...config, clusters });
};

const noticeCrash = async (source: FunctionProcess): Promise<string | undefined> => {
  const code = await source.ended;
  return code === 0 || code === "SIGKILL"
    ? undefined
    : `source ended by itself (${code}): ${source.stderr()}`;
};

/** Starts an API server, without the CRD, and opens the way to it. */
export const openScene = async (): Promise<Scene> => {
  const cluster = await startCluster({ level: "api", auditLog: false });
  const path = await openPath(cluster.server, await authorityOf(cluster));
  let crash: string | undefined;
  const sink = await keySink(() => crash);
  const api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  const folder = await mkdtemp(join(tmpdir(), "sampledb-source-"));
  const apply = (...items: readonly object[]): Promise<string> =>
    cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await cluster.kubectl(["create", "namespace", NAMESPACE]);
  await cluster.kubectl(["create", "serviceaccount", "source", "-n", NAMESPACE]);
  await apply(rights().role, rights().binding);
  const kubeconfig = join(folder, "source.kubeconfig");
  await writeFile(kubeconfig, await kubeconfigThrough(cluster, path.url));
  const started: FunctionProcess[] = [];
  return {
    cluster,
    path,
    sink,
    apply,
    ...calls(api),
    kubectl: (...args) => cluster.kubectl([...args, "-n", NAMESPACE]),
    start: (env = {}) => {
      const source = startFunction("source", { KUBECONFIG: kubeconfig, SINK: sink.url, ...env });
      started.push(source);
      void noticeCrash(source).then((found) => (crash ??= found));
      return source;
    },
    [Symbol.asyncDispose]: async () => {
      for (const source of started) await source[Symbol.asyncDispose]();
      api.close();
      await sink[Symbol.asyncDispose]();
      await path[Symbol.asyncDispose]();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const isReady = async (source: FunctionProcess): Promise<boolean> =>
  (await fetch(`${await source.url()}/readyz`)).status === 200;

export const ready = (source: FunctionProcess): Promise<true> =>
  until("readiness", async () => (await isReady(source)) || undefined, 60_000);

/** The value of one gauge or counter without labels on its page of metrics. */
export const metricOf = async (source: FunctionProcess, name: string): Promise<number> => {
  const page = await (await fetch(`${await source.url()}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "mu").exec(page)?.[1]);
};
