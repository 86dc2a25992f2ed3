import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ApiClient, makeApiClient } from "./api-client.ts";
import { type Binaries, ensureBinaries } from "./binaries.ts";
import { kubeconfigNames, makeCertificates, writeKubeconfig } from "./certificates.ts";
import {
  type Commands,
  type ControlPlane,
  controlPlaneCommands,
  kubernetesServiceAddress,
} from "./control-plane.ts";
import { freePort } from "./free-port.ts";
import { requireHost } from "./require-host.ts";
import type { ClusterOptions, ComponentName, LocalCluster } from "./local-cluster.ts";
import { makeNamespacePlace } from "./namespace-place.ts";
import { nodeCommands } from "./node-components.ts";
import { importImages, type Node, startContainerd, startNode, tagImage } from "./node-level.ts";
import { hostPlace, type Place } from "./place.ts";
import { Processes, environment } from "./processes.ts";
import { run } from "./run.ts";
import { waitUntil } from "./wait-until.ts";
import { makeWorkFolder, removeWorkFolder, sweepLeftovers, type WorkFolder } from "./work-folder.ts";

/** What is there before anything of a cluster is. */
type Basis = { readonly options: ClusterOptions; readonly work: WorkFolder; readonly binaries: Binaries };

/** What the steps of a start hand on to each other. */
type Cluster = Basis & {
  readonly place: Place;
  readonly processes: Processes;
  readonly commands: Commands;
  readonly server: string;
  readonly etcd: string;
  readonly api: ApiClient;
  readonly snapshotter: string;
};

const say = ({ options }: Pick<Cluster, "options">, line: string): void => options.onProgress?.(line);

const startNamed = async ({ commands, processes }: Cluster, name: ComponentName): Promise<void> => {
  const argv = commands[name];
  if (argv === undefined) throw new Error(`this cluster has no ${name}`);
  await processes.start(name, argv);
};

const untilApiServerReady = async ({ api, processes }: Cluster): Promise<void> => {
  const ask = async (): Promise<true> => {
    processes.assertRunning("etcd");
    processes.assertRunning("kube-apiserver");
    await api.get("/readyz");
    return true;
  };
  await waitUntil(ask, { what: "the API server's readiness", timeoutMs: 300_000 });
};

/** Pods and tests use the default service account, which the controller manager makes. */
const untilControllersWork = async ({ api, processes }: Cluster): Promise<void> => {
  const ask = (): Promise<unknown> => {
    processes.assertRunning("kube-controller-manager");
    return api.get("/api/v1/namespaces/default/serviceaccounts/default");
  };
  await waitUntil(ask, { what: "the controller manager's first work", timeoutMs: 300_000 });
};

const nodeOf = (cluster: Cluster): Node => ({
  ...cluster,
  folder: cluster.work.path,
  helperImage: cluster.options.helperImage ?? "localhost/postgres:17",
  start: (name) => startNamed(cluster, name),
});

const startControlPlane = async (cluster: Cluster): Promise<void> => {
  await startNamed(cluster, "etcd");
  await startNamed(cluster, "kube-apiserver");
  await untilApiServerReady(cluster);
  await startNamed(cluster, "kube-controller-manager");
  await untilControllersWork(cluster);
};

const startContainers = async (cluster: Cluster): Promise<void> => {
  const node = nodeOf(cluster);
  await startContainerd(node);
  const images = cluster.options.images ?? [];
  if (images.length > 0) say(cluster, `importing ${images.length} images`);
  await importImages(node, images);
};

const startAll = async (cluster: Cluster): Promise<void> => {
  say(cluster, "starting the API server");
  if (cluster.options.level === "api") return await startControlPlane(cluster);
  const both = await Promise.allSettled([startControlPlane(cluster), startContainers(cluster)]);
  for (const one of both) if (one.status === "rejected") throw one.reason;
  say(cluster, "starting the node");
  await startNode(nodeOf(cluster));
};

const makePlace = async (
  options: ClusterOptions,
  work: WorkFolder,
): Promise<Place & { readonly cgroup?: string }> =>
  options.level === "api" ? hostPlace : await makeNamespacePlace(work);

const choosePorts = async (options: ClusterOptions): Promise<ControlPlane["ports"]> =>
  options.level === "api"
    ? { api: await freePort(), etcd: await freePort(), peer: await freePort() }
    : { api: 6443, etcd: 2379, peer: 2380 };

const prepareIn = async (place: Place & { readonly cgroup?: string }, basis: Basis): Promise<Cluster> => {
  const { options, work, binaries } = basis;
  const { address } = place;
  const folder = work.path;
  const pki = join(folder, "pki");
  const ports = await choosePorts(options);
  const server = `https://${address}:${ports.api}`;
  await makeCertificates(pki, [...new Set(["127.0.0.1", kubernetesServiceAddress, address])]);
  const read = (file: string): Promise<string> => readFile(join(pki, file), "utf8");
  for (const name of kubeconfigNames) await writeKubeconfig(folder, name, server, read);
  const plane = {
    level: options.level,
    folder,
    binaries,
    address,
    ports,
    auditLog: options.auditLog ?? true,
  };
  const control = await controlPlaneCommands(plane);
  const node =
    place.cgroup === undefined ? undefined : await nodeCommands({ ...plane, cgroup: place.cgroup });
  const tls = { ca: await read("ca.crt"), cert: await read("admin.crt"), key: await read("admin.key") };
  return {
    ...basis,
    place,
    processes: new Processes(folder, place),
    commands: { ...control, ...node?.commands },
    server,
    etcd: `http://127.0.0.1:${ports.etcd}`,
    api: makeApiClient(server, tls),
    snapshotter: node?.snapshotter ?? "",
  };
};

const prepare = async (basis: Basis): Promise<Cluster> => {
  const place = await makePlace(basis.options, basis.work);
  try {
    return await prepareIn(place, basis);
  } catch (error) {
    await place.end();
    throw error;
  }
};

const stopCluster = async ({ api, processes, place, work }: Cluster): Promise<void> => {
  api.close();
  try {
    await processes.stopAll();
  } finally {
    await place.end();
    await removeWorkFolder(work);
  }
};

const present = (cluster: Cluster): LocalCluster => {
  const { options, work, binaries, place, processes, server } = cluster;
  const kubeconfig = join(work.path, "admin.kubeconfig");
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopCluster(cluster));
  const containersOf = (): Node => {
    if (options.level === "api") throw new Error("a cluster of level api runs no containers");
    return nodeOf(cluster);
  };
  return {
    level: options.level,
    kubeconfig,
    server,
    etcd: cluster.etcd,
    hostAddress: place.hostAddress,
    auditLogFile: join(work.path, "audit.log"),
    logFolder: join(work.path, "log"),
    kubectl: async (args, input) => {
      // A discovery cache of its own: the address may have belonged to another cluster a moment ago.
      const argv = [binaries.path("kubectl"), `--cache-dir=${work.path}/kubectl`, ...args];
      const env = { ...environment(), KUBECONFIG: kubeconfig };
      return await run(argv, input === undefined ? { env } : { env, input });
    },
    stopComponent: (name, signal = "SIGKILL") => processes.stop(name, signal),
    startComponent: async (name) => {
      await startNamed(cluster, name);
      if (name === "kube-apiserver") await untilApiServerReady(cluster);
    },
    tagImage: async (image, name) => {
      await tagImage(containersOf(), image, name);
    },
    importImages: async (tars) => {
      await importImages(containersOf(), tars);
    },
    exec: (argv) => run(place.wrap(argv)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

const attempt = async (options: ClusterOptions, binaries: Binaries): Promise<LocalCluster> => {
  const work = makeWorkFolder();
  let cluster: Cluster | undefined;
  try {
    cluster = await prepare({ options, work, binaries });
    await startAll(cluster);
    return present(cluster);
  } catch (error) {
    await (cluster === undefined ? removeWorkFolder(work) : stopCluster(cluster));
    throw error;
  }
};

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("address already in use");

/**
 * Starts a real Kubernetes that belongs to this process. The first start compiles it (minutes, once); later ones take
 * seconds. The cluster ends with `stop()`; should this process die, it ends by itself and the next start cleans up.
 */
export const startCluster = async (options: ClusterOptions): Promise<LocalCluster> => {
  await requireHost(options);
  const binaries = await ensureBinaries(options.level, options.onProgress ?? (() => undefined));
  await sweepLeftovers();
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(options, binaries);
    } catch (error) {
      // A port that was free a moment ago may be taken by now.
      if (tries === 3 || !isPortTaken(error)) throw error;
    }
  }
};
