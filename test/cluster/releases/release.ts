import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountKubeconfig } from "../../support/account-kubeconfig.ts";
import { freePort } from "../../support/cluster/free-port.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type FunctionProcess, startFunction } from "../../support/function-process.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { renderOwn } from "../../support/kustomize/render.ts";

type Env = Readonly<Record<string, string>>;
type Container = { readonly env?: readonly { readonly name: string; readonly value?: string }[] };

export type ReleaseOptions = {
  /** Of the functions. */
  readonly namespace: string;
  /** Undefined: the release without a name. */
  readonly name?: string;
  /** Which PostgreSQL it gives to a SampleDB that names none: by this one sees whose admission it was. */
  readonly defaultVersion: string;
};

const ACCOUNTS = ["reconcile", "source", "resync", "certify"] as const;
type Account = (typeof ACCOUNTS)[number];

const render = (cluster: LocalCluster, { namespace, name }: ReleaseOptions): Promise<string> =>
  renderOwn(cluster.kubectl, {
    paths: ["overlays/kubernetes", `components/release/${name === undefined ? "unnamed" : "named"}`],
    namespace,
    ...(name !== undefined && { release: name }),
  });

/** The API server runs on this host, and so does admission here: the Service leads there. */
const toThisHost = (object: KubeObject): KubeObject =>
  object.kind === "Service" && object.metadata.name === "admission"
    ? Object.assign({}, object, { spec: { type: "ExternalName", externalName: "localhost" } })
    : object;

const containersIn = (value: unknown): readonly Container[] => {
  if (typeof value !== "object" || value === null) return [];
  if ("containers" in value && Array.isArray(value.containers)) return value.containers;
  return Object.values(value).flatMap(containersIn);
};

/** A release as its overlay makes it, whose functions are processes on this host under the accounts that the overlay gives them. */
export class Release {
  readonly options: ReleaseOptions;
  readonly #cluster: LocalCluster;
  readonly #folder: string;
  readonly #objects: readonly KubeObject[];
  readonly #port: number;
  readonly #running: FunctionProcess[] = [];
  #reconcile: FunctionProcess | undefined;

  private constructor(
    cluster: LocalCluster,
    options: ReleaseOptions,
    more: [string, readonly KubeObject[], number],
  ) {
    this.options = options;
    this.#cluster = cluster;
    [this.#folder, this.#objects, this.#port] = more;
  }

  /** Installs it; resolves when its admission judges and its functions run. */
  static async install(cluster: LocalCluster, options: ReleaseOptions): Promise<Release> {
    const folder = await mkdtemp(join(tmpdir(), "sampledb-release-"));
    const objects = objectsIn(await render(cluster, options)).map(toThisHost);
    const release = new Release(cluster, options, [folder, objects, await freePort()]);
    await release.apply();
    for (const account of ACCOUNTS) {
      const text = await accountKubeconfig(cluster.kubectl, account, options.namespace);
      await writeFile(release.#kubeconfig(account), text);
    }
    await release.#startAdmission();
    release.#reconcile = release.#resident("reconcile");
    release.#resident("source", { SINK: await release.reconcileUrl() });
    return release;
  }

  /** What `kubectl apply -k` and `kubectl delete -k` do. */
  async apply(): Promise<void> {
    await this.#cluster.kubectl(["apply", "-f", "-"], this.#list());
  }
  async uninstall(): Promise<void> {
    await this.#end();
    await this.#cluster.kubectl(["delete", "--ignore-not-found", "-f", "-"], this.#list());
  }

  /** Runs certify as the Job does. */
  async certify(): Promise<void> {
    const env = {
      POD_NAMESPACE: this.options.namespace,
      PORT_OF_ADMISSION: `${this.#port}`,
      ADMISSION_ADDRESS: `localhost:${this.#port}`,
      READY_TIMEOUT_SECONDS: "300",
    };
    const certify = this.#start("certify", env, ["once"]);
    assert.equal(await certify.ended, 0, JSON.stringify(certify.logs));
  }

  /** A sweep as the CronJob makes it; how many it visited. */
  async sweep(): Promise<number> {
    const resync = this.#start("resync", { SINK: await this.reconcileUrl() }, ["once"]);
    assert.equal(await resync.ended, 0, JSON.stringify(resync.logs));
    return Number(resync.logs.find(({ message }) => message === "swept")?.["sent"]);
  }

  reconcileUrl(): Promise<string> {
    return this.#reconcile?.url() ?? assert.fail("it is not there any more");
  }

  /** `system:serviceaccount:<namespace>:`, with which the names of its accounts begin. */
  get users(): string {
    return `system:serviceaccount:${this.options.namespace}:`;
  }

  async stop(): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true });
  }

  async #end(): Promise<void> {
    for (const process of this.#running.splice(0)) await process[Symbol.asyncDispose]();
  }

  #list(): string {
    return JSON.stringify({ apiVersion: "v1", kind: "List", items: this.#objects });
  }

  #kubeconfig(account: Account): string {
    return join(this.#folder, `${account}.kubeconfig`);
  }

  /** What the workload of this function has in its environment. */
  #selector(name: string): string {
    const workload = this.#objects.find(
      ({ kind, metadata }) => ["Deployment", "CronJob"].includes(kind) && metadata.name === name,
    );
    const env = containersIn(workload).flatMap((container) => container.env ?? []);
    return env.find((each) => each.name === "NAMESPACE_SELECTOR")?.value ?? assert.fail(name);
  }

  #start(name: Account, more: Env = {}, args: readonly string[] = []): FunctionProcess {
    const env = { KUBECONFIG: this.#kubeconfig(name), NAMESPACE_SELECTOR: this.#selector(name), ...more };
    return startFunction(name, env, args);
  }

  #resident(name: Account, more: Env = {}): FunctionProcess {
    const process = this.#start(name, more);
    this.#running.push(process);
    return process;
  }

  async #startAdmission(): Promise<void> {
    const catalog = await mkdtemp(join(this.#folder, "catalog-"));
    const images = {
      "16": "registry.example.com/postgres:16.11",
      "17": "registry.example.com/postgres:17.7",
    };
    const entries = { ...images, default: this.options.defaultVersion, latest: "17" };
    for (const [key, text] of Object.entries(entries)) await writeFile(join(catalog, key), text);
    const [cert, key] = [join(this.#folder, "tls.crt"), join(this.#folder, "tls.key")];
    const env = { PORT: `${this.#port}`, TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CATALOG_DIR: catalog };
    this.#running.push(startFunction("admission", env));
    const certified = this.certify();
    // What the kubelet does: the files appear once the Secret is there.
    const secret = ["get", "secret", "sampledb-admission-tls", "-n", this.options.namespace, "-o"];
    const text = async (field: string): Promise<string | undefined> => {
      const base64 = await this.#cluster.kubectl([...secret, `jsonpath={.data.tls\\.${field}}`]);
      return base64 === "" ? undefined : Buffer.from(base64, "base64").toString();
    };
    const what = { what: "admission's Secret", timeoutMs: 240_000 };
    await writeFile(key, await waitUntil(() => text("key"), what));
    await writeFile(cert, await waitUntil(() => text("crt"), what));
    await certified;
  }
}
