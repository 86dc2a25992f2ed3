import { retire } from "../../functions/retire/retire.ts";
import { report } from "../../functions/report/report.ts";
import { provision } from "../../functions/provision/provision.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { LABEL } from "../../functions/shared/api/markers.ts";
import type { Key } from "../../functions/shared/api/key.ts";
import type { Condition } from "../../functions/shared/api/sampledb.ts";
import type { Action } from "../../functions/shared/kube/action.ts";
import { type ApiServer, apiServer } from "../../functions/shared/kube/api-server.ts";
import type { Cluster } from "../../functions/shared/kube/cluster.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import { type PassNote, type PassOutcome, pass } from "../../functions/shared/kube/pass.ts";
import { readAccess } from "../../functions/shared/kube/read-access.ts";
import { type LocalCluster, startCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { installCrds } from "../support/deploy/install-crds.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const KINDS =
  "secrets,configmaps,services,persistentvolumeclaims,statefulsets,poddisruptionbudgets,jobs,pods";

/** A real API server with controllers and no node, on which a test makes passes of provision, retire and report itself. */
export class PassScene {
  readonly cluster: LocalCluster;
  readonly #api: ApiServer;

  private constructor(cluster: LocalCluster) {
    this.cluster = cluster;
    this.#api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  }

  static async start(): Promise<PassScene> {
    const cluster = await startCluster({ level: "api" });
    const scene = new PassScene(cluster);
    try {
      await installCrds(scene.kubectl);
    } catch (cause) {
      await scene.stop();
      throw cause;
    }
    return scene;
  }

  async stop(): Promise<void> {
    this.#api.close();
    await this.cluster.stop();
  }

  readonly kubectl = (args: readonly string[], input?: string): Promise<string> =>
    this.cluster.kubectl(args, input);

  /** Creates or changes any objects. */
  readonly apply = (...objects: readonly Fields[]): Promise<string> =>
    this.kubectl(
      ["apply", "--server-side", "--force-conflicts", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }),
    );

  /** A namespace of its own for each test, and SampleDB `orders` in it. */
  async orders(namespace: string, spec: Fields = {}): Promise<Key> {
    await this.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await this.applyOrders(namespace, spec);
    return { namespace, name: "orders" };
  }

  /** The same with `orders` as a sample has it. */
  async ordersLike(namespace: string, sample: unknown): Promise<Key> {
    await this.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const text = JSON.stringify(sample, (key, value: unknown) => (key === "namespace" ? namespace : value));
    await this.kubectl(["apply", "-f", "-"], text);
    return { namespace, name: "orders" };
  }

  readonly applyOrders = (namespace: string, spec: Fields = {}): Promise<string> =>
    this.apply({
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name: "orders", namespace },
      spec,
    });

  port(): Cluster {
    return kubeCluster(this.#api, AbortSignal.timeout(120_000));
  }

  /** One pass, as the group makes it; gives what it wrote. */
  async pass(key: Key): Promise<readonly Action[]> {
    const written: Action[] = [];
    const tell = (note: PassNote): void => {
      if (note.note === "plan-failed") throw new Error("a plan threw", { cause: note.cause });
      if (note.note === "wrote") written.push(note.action);
    };
    await this.#pass(key, tell);
    return written;
  }

  /** Passes until `ask` gives an answer. */
  until<T>(key: Key, what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const passThenAsk = async (): Promise<T | undefined> => {
      await this.pass(key);
      return ask();
    };
    return waitUntil(passThenAsk, { what, timeoutMs: 300_000, everyMs: 100 });
  }

  /** Passes until a condition of `orders` has this reason and says this: one reason has several messages, which follow each other. */
  untilReason(key: Key, type: string, reason: string, says = /(?:)/u): Promise<Condition> {
    return this.until(key, `${type} with reason ${reason} and ${String(says)}`, async () => {
      const found = (await this.port().sampledb(key))?.status?.conditions ?? [];
      return found.find(
        (condition) => condition.type === type && condition.reason === reason && says.test(condition.message),
      );
    });
  }

  /** Everything labelled as of `orders`, as `kind/name`, sorted. */
  async childrenOf({ namespace, name }: Key): Promise<readonly string[]> {
    const list = await this.kubectl([
      "get",
      KINDS,
      "-n",
      namespace,
      "-l",
      `${LABEL.database}=${name}`,
      "-o",
      "name",
    ]);
    return list.trim().split("\n").filter(Boolean).toSorted();
  }

  /** `orders` with every child, its claim bound to a volume that is kept, and its pod there (pending: there is no node). */
  async runningOrders(namespace: string, spec: Fields = {}): Promise<Key> {
    const key = await this.ordersWithVolume(namespace, spec);
    await this.until(key, "pod and volume", async () => {
      const hasPod = (await this.childrenOf(key)).includes("pod/orders-1-0");
      return hasPod && (await this.reclaimPolicyOf(`pv-${namespace}`)) === "Retain" ? true : undefined;
    });
    return key;
  }

  /** `orders`, whose claim finds a volume. */
  async ordersWithVolume(namespace: string, spec: Fields = {}): Promise<Key> {
    await this.#makeVolume(namespace, spec);
    return this.orders(namespace, spec);
  }

  /** Plays the volume provisioner. Made before the claim: the controller binds a claim at once where it finds its volume. */
  async #makeVolume(namespace: string, { storage }: Fields): Promise<void> {
    const storageClassName = isFields(storage) ? storage["storageClassName"] : undefined;
    await this.apply({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `pv-${namespace}` },
      spec: {
        capacity: { storage: "1Gi" },
        ...(storageClassName !== undefined && { storageClassName }),
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Delete",
        hostPath: { path: `/tmp/sampledb-test-volume-${namespace}` },
        claimRef: { namespace, name: "orders-1-1" },
      },
    });
    const isKnown = "--for=jsonpath={.status.phase}=Available";
    await this.kubectl(["wait", `pv/pv-${namespace}`, isKnown, "--timeout=300s"]);
  }

  /** Reclaim policy of a PersistentVolume; undefined once it is gone. */
  async reclaimPolicyOf(volume: string): Promise<string | undefined> {
    const path = "jsonpath={.spec.persistentVolumeReclaimPolicy}";
    const policy = await this.kubectl(["get", "pv", volume, "--ignore-not-found", "-o", path]);
    return policy === "" ? undefined : policy;
  }

  #pass(key: Key, tell: (note: PassNote) => void): Promise<PassOutcome> {
    const clusterUntil = (signal: AbortSignal): Cluster => kubeCluster(this.#api, signal);
    const functions = [provision, retire, report];
    return pass({ clusterUntil, functions, catalog: () => BUILT_IN_CATALOG, tell }, key);
  }
}
