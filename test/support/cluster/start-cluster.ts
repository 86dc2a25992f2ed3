import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ApiClient, makeApiClient } from "./api-client.ts";
import { type Binaries, ensureBinaries } from "./binaries.ts";
import { makeCertificates, writeKubeconfig } from "./certificates.ts";
import { type Commands, controlPlaneCommands, kubernetesServiceAddress } from "./control-plane.ts";
import { freePort } from "./free-port.ts";
import type { ClusterOptions, ComponentName, LocalCluster } from "./local-cluster.ts";
import { hostPlace, type Place } from "./place.ts";
import { Processes } from "./processes.ts";
import { run } from "./run.ts";
import { waitUntil } from "./wait-until.ts";
import { makeWorkFolder, removeWorkFolder, sweepLeftovers, type WorkFolder } from "./work-folder.ts";

/** What the steps of a start hand on to each other. */
type Cluster = {
  readonly options: ClusterOptions;
  readonly work: WorkFolder;
  readonly binaries: Binaries;
  readonly place: Place;
  readonly processes: Processes;
  readonly commands: Commands;
  readonly server: string;
  readonly api: ApiClient;
};

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
  await waitUntil(ask, { what: "the API server's readiness", timeoutMs: 90_000 });
};

/** Pods and tests use the default service account, which the controller manager makes. */
const untilControllersWork = async ({ api, processes }: Cluster): Promise<void> => {
  const ask = (): Promise<unknown> => {
    processes.assertRunning("kube-controller-manager");
    return api.get("/api/v1/namespaces/default/serviceaccounts/default");
  };
  await waitUntil(ask, { what: "the controller manager's first work", timeoutMs: 60_000 });
};

const startControlPlane = async (cluster: Cluster): Promise<void> => {
  await startNamed(cluster, "etcd");
  await startNamed(cluster, "kube-apiserver");
  await untilApiServerReady(cluster);
  await startNamed(cluster, "kube-controller-manager");
  await untilControllersWork(cluster);
};

const prepare = async (options: ClusterOptions, work: WorkFolder, binaries: Binaries): Promise<Cluster> => {
  const { level } = options;
  const place = hostPlace;
  const folder = work.path;
  const pki = join(folder, "pki");
  const ports = { api: await freePort(), etcd: await freePort(), peer: await freePort() };
  const server = `https://${place.address}:${ports.api}`;
  const auditLog = options.auditLog ?? true;
  await makeCertificates(pki, [...new Set(["127.0.0.1", kubernetesServiceAddress, place.address])]);
  const read = (file: string): Promise<string> => readFile(join(pki, file), "utf8");
  for (const name of ["admin", "kube-controller-manager"] as const) {
    await writeKubeconfig(folder, name, server, read);
  }
  const commands = await controlPlaneCommands({
    level,
    folder,
    binaries,
    address: place.address,
    ports,
    auditLog,
  });
  const api = makeApiClient(server, {
    ca: await read("ca.crt"),
    cert: await read("admin.crt"),
    key: await read("admin.key"),
  });
  return { options, work, binaries, place, processes: new Processes(folder, place), commands, server, api };
};

const stopCluster = async ({ api, processes, place, work }: Cluster): Promise<void> => {
  api.close();
  await processes.stopAll();
  await place.end();
  await removeWorkFolder(work);
};

const present = (cluster: Cluster): LocalCluster => {
  const { options, work, binaries, place, processes, server } = cluster;
  const kubeconfig = join(work.path, "admin.kubeconfig");
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopCluster(cluster));
  return {
    level: options.level,
    kubeconfig,
    server,
    hostAddress: place.hostAddress,
    auditLogFile: join(work.path, "audit.log"),
    logFolder: join(work.path, "log"),
    kubectl: async (args, input) => {
      // A discovery cache of its own: the address may have belonged to another cluster a moment ago.
      const argv = [binaries.path("kubectl"), `--cache-dir=${work.path}/kubectl`, ...args];
      const env = { ...process.env, KUBECONFIG: kubeconfig };
      return await run(argv, input === undefined ? { env } : { env, input });
    },
    stopComponent: (name, signal = "SIGKILL") => processes.stop(name, signal),
    startComponent: async (name) => {
      await startNamed(cluster, name);
      if (name === "kube-apiserver") await untilApiServerReady(cluster);
    },
    importImages: () => Promise.reject(new Error("a cluster of level api runs no containers")),
    exec: (argv) => run(place.wrap(argv)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

const attempt = async (options: ClusterOptions, binaries: Binaries): Promise<LocalCluster> => {
  const work = makeWorkFolder();
  let cluster: Cluster | undefined;
  try {
    cluster = await prepare(options, work, binaries);
    await startControlPlane(cluster);
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
