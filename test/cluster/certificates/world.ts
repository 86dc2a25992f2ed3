import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import { apiOn } from "../../../functions/certify/api.ts";
import type { Api } from "../../../functions/certify/api.ts";
import { certify } from "../../../functions/certify/certify.ts";
import { issueCa, issueLeaf } from "../../../functions/certify/issue-certificate.ts";
import type { PemPair } from "../../../functions/certify/key-pair.ts";
import { probeAdmission } from "../../../functions/certify/probe-admission.ts";
import { newSecret } from "../../../functions/certify/secrets.ts";
import { serverNames } from "../../../functions/certify/settings.ts";
import type { Settings } from "../../../functions/certify/settings.ts";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { startAdmission } from "../../support/admission-process.ts";
import type { AdmissionProcess } from "../../support/admission-process.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { render } from "../../support/kustomize/render.ts";
import { Killed, mortalApi } from "../../support/mortal-api.ts";
import { plainApi } from "../../support/plain-api.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import { Gate } from "./gate.ts";
import { Kubelet } from "./kubelet.ts";
import { Load } from "./load.ts";

const NAMESPACE = "sampledb-system";
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const LEAF = `${SECRETS}/sampledb-admission-tls`;
const DAY = 86_400_000;
/** Before the present, which the API server's clock shows. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

type Stored = { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle: string } }[] };

/** A real API server with the overlay on it, two admission processes behind one Service, and certify on whatever clock. */
export class World {
  readonly #cluster: LocalCluster;
  readonly #server: ApiServer;
  readonly #api: Api;
  readonly #plain: PlainApi;
  readonly #kubelets: readonly [Kubelet, Kubelet];
  #admissions: readonly AdmissionProcess[] = [];
  #gate: Gate | undefined;
  #settings: Settings = { namespace: NAMESPACE, service: "admission", port: 1, readyTimeout: 120_000 };

  private constructor(cluster: LocalCluster, plain: PlainApi) {
    this.#cluster = cluster;
    this.#plain = plain;
    this.#server = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
    this.#api = apiOn(this.#server);
    this.#kubelets = [new Kubelet(this.#api, LEAF), new Kubelet(this.#api, LEAF)];
  }

  static async start(): Promise<World> {
    const cluster = await startCluster({ level: "api", auditLog: false });
    const world = new World(cluster, await plainApi(cluster.kubeconfig, 10));
    await installCrds(cluster.kubectl);
    await cluster.kubectl(["create", "namespace", "shop"]);
    await cluster.kubectl(["apply", "-f", "-"], await render(cluster.kubectl, "overlays/kubernetes"));
    const toHere = ["--external-name=localhost", "-n", NAMESPACE];
    await cluster.kubectl(["delete", "service", "admission", "-n", NAMESPACE]);
    await cluster.kubectl(["create", "service", "externalname", "admission", ...toHere]);
    return world;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#kubelets.map((kubelet) => kubelet.stop()));
    this.#plain.close();
    this.#server.close();
    await this.#cluster.stop();
    await this.#gate?.stop();
    await Promise.all(this.#admissions.map((admission) => admission.end()));
  }

  /** Stores what certify would have stored that long ago. */
  async #store(name: "sampledb-ca" | "sampledb-admission-tls", pair: PemPair): Promise<void> {
    const data = { "tls.crt": pair.certificate, "tls.key": pair.key };
    await this.#api.remove(`${SECRETS}/${name}`);
    await this.#api.create(SECRETS, newSecret(name, NAMESPACE, data));
  }

  /** A CA that is due ten days before now, and a leaf of it that is due 25 days before now: both stored; certify's own to renew. */
  async storeOld(): Promise<PemPair> {
    const ca = await issueCa(daysAgo(4 * 365 + 10));
    await this.#store("sampledb-ca", ca);
    await this.storeOldLeaf(ca);
    return ca;
  }

  /** In place of the present leaf one of the same kind that was made 85 days before now. */
  async storeOldLeaf(ca: PemPair): Promise<void> {
    await this.#store(
      "sampledb-admission-tls",
      await issueLeaf(ca, serverNames(this.#settings), daysAgo(85)),
    );
  }

  /** Mounts the Secret and starts both admission processes with it. */
  async startAdmission(): Promise<void> {
    const [soon, late] = this.#kubelets;
    await Promise.all([soon.start(100), late.start(1500)]);
    const [first, second] = await Promise.all(
      [soon, late].map(({ mounted: { files } }) =>
        startAdmission("admission", { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile }),
      ),
    );
    if (first === undefined || second === undefined) throw new Error("admission was not started");
    this.#admissions = [first, second];
    this.#gate = await Gate.start([first.port, second.port]);
    this.#settings = { ...this.#settings, port: this.#gate.port };
  }

  /** One run of certify on this clock, killed after so many writes; whether it came to its end. */
  async certify(now: Date, writes = Infinity): Promise<boolean> {
    try {
      await certify({
        api: mortalApi(this.#api, writes),
        probe: probeAdmission(this.#settings, `localhost:${this.#settings.port}`),
        settings: this.#settings,
        now: () => now,
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        log: () => undefined,
      });
      return true;
    } catch (cause) {
      if (cause instanceof Killed) return false;
      throw cause;
    }
  }

  /** Waits until a write of a SampleDB passes both webhooks. */
  async untilAdmitted(): Promise<void> {
    const trial = {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name: "trial", namespace: "shop" },
      spec: {},
    };
    const path = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs?dryRun=All";
    const isAdmitted = async (): Promise<true | undefined> =>
      JSON.stringify(await this.#plain.call("POST", path, trial)).includes("sampledb.dev/retire") ||
      undefined;
    await waitUntil(isAdmitted, { what: "admission", timeoutMs: 120_000 });
  }

  startLoad(label: string): Load {
    return new Load(this.#plain, label, () => this.#gate?.endConnections() ?? Promise.resolve());
  }

  /** How often the API server connected to admission so far. */
  get connections(): number {
    return this.#gate?.connections ?? 0;
  }

  /** Reviews that the admission processes answered so far, by function. */
  reviews(name: "mutate" | "validate"): number {
    const lines = this.#admissions.flatMap((admission) => admission.output().split("\n"));
    return lines.filter((line) => line.includes(`"function":"${name}"`)).length;
  }

  /** Serial number of the leaf that is stored. */
  async storedSerial(): Promise<string> {
    return new X509Certificate(await this.#secretText("tls.crt")).serialNumber;
  }

  /** How many CAs each webhook configuration trusts. */
  async trusted(): Promise<readonly number[]> {
    return (await this.#bundles()).map((bundle) => bundle.split("BEGIN CERTIFICATE").length - 1);
  }

  /** Waits until both admission processes show the stored leaf; each connection on the way trusts what the webhooks trust alone. */
  async untilServed(): Promise<void> {
    const stored = await this.storedSerial();
    const isServed = async (): Promise<true | undefined> => {
      const shown = await this.shownSerials();
      return shown.every((serial) => serial === stored) || undefined;
    };
    await waitUntil(isServed, { what: "the stored certificate in both processes", timeoutMs: 120_000 });
  }

  /** Serial numbers of what each process shows to a client that trusts one configuration's caBundle. Rejects where one is not trusted. */
  async shownSerials(): Promise<readonly string[]> {
    const bundles = await this.#bundles();
    return Promise.all(bundles.flatMap((ca) => this.#admissions.map(({ port }) => this.#serialAt(port, ca))));
  }

  async #serialAt(port: number, ca: string): Promise<string> {
    const socket = connect({ host: "localhost", port, ca, servername: serverNames(this.#settings)[0] });
    await once(socket, "secureConnect");
    const serial = socket.getPeerX509Certificate()?.serialNumber ?? "";
    socket.destroy();
    return serial;
  }

  async #bundles(): Promise<readonly string[]> {
    const found = ["mutating", "validating"].map(async (kind) => {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/sampledb`;
      const { webhooks }: Stored = JSON.parse(JSON.stringify(await this.#plain.call("GET", path)));
      return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString();
    });
    return Promise.all(found);
  }

  async #secretText(key: string): Promise<string> {
    return Buffer.from((await this.#api.read(LEAF))?.data?.[key] ?? "", "base64").toString();
  }
}
