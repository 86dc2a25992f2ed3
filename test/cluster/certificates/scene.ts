import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import { apiOn } from "../../../functions/certify/api.ts";
import type { Api } from "../../../functions/certify/api.ts";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { startAdmission } from "../../support/admission-process.ts";
import type { AdmissionProcess } from "../../support/admission-process.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { renderOwn } from "../../support/kustomize/render.ts";
import type { OwnKustomization } from "../../support/kustomize/render.ts";
import { plainApi } from "../../support/plain-api.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import { Gate } from "./gate.ts";
import { Kubelet } from "./kubelet.ts";
import { Load } from "./load.ts";

export const NAMESPACE = "sampledb-system";
export const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const LEAF = `${SECRETS}/sampledb-admission-tls`;
const SERVER_NAME = `admission.${NAMESPACE}.svc`;

type Stored = { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] };

/** A real API server, two admission processes behind one Service, each with the Secret as its node's kubelet mounts it. */
export class Scene {
  readonly cluster: LocalCluster;
  readonly api: Api;
  readonly #server: ApiServer;
  readonly #plain: PlainApi;
  readonly #gate: Gate;
  readonly #kubelets: readonly [Kubelet, Kubelet];
  #admissions: readonly AdmissionProcess[] = [];

  private constructor(cluster: LocalCluster, plain: PlainApi, gate: Gate) {
    this.cluster = cluster;
    this.#plain = plain;
    this.#gate = gate;
    this.#server = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
    this.api = apiOn(this.#server);
    this.#kubelets = [new Kubelet(this.api, LEAF), new Kubelet(this.api, LEAF)];
  }

  /** With our CRD; nothing else is there. */
  static async start(): Promise<Scene> {
    const cluster = await startCluster({ level: "api", auditLog: false });
    const scene = new Scene(cluster, await plainApi(cluster.kubeconfig, 10), await Gate.start());
    await installCrds(cluster.kubectl);
    await cluster.kubectl(["create", "namespace", "shop"]);
    return scene;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#kubelets.map((kubelet) => kubelet.stop()));
    this.#plain.close();
    this.#server.close();
    await this.cluster.stop();
    await this.#gate.stop();
    await Promise.all(this.#admissions.map((admission) => admission.end()));
  }

  /** Applies a kustomization, with the Service leading to this host. */
  async apply(own: OwnKustomization): Promise<void> {
    const text = await renderOwn(this.cluster.kubectl, own);
    const toHere = ["--external-name=localhost", "-n", NAMESPACE];
    await this.cluster.kubectl(["apply", "-f", "-"], text.replaceAll("port: 443\n", `port: ${this.port}\n`));
    await this.cluster.kubectl(["delete", "service", "admission", "-n", NAMESPACE]);
    await this.cluster.kubectl(["create", "service", "externalname", "admission", ...toHere]);
  }

  /** Of admission's Service. */
  get port(): number {
    return this.#gate.port;
  }

  /** Mounts the Secret, as soon as it is there, and starts both admission processes with it. */
  async startAdmission(): Promise<void> {
    const isThere = async (): Promise<unknown> => await this.api.read(LEAF);
    await waitUntil(isThere, { what: "admission's Secret", timeoutMs: 120_000 });
    const [soon, late] = this.#kubelets;
    await Promise.all([soon.start(100), late.start(1500)]);
    this.#admissions = await Promise.all(
      [soon, late].map(({ mounted: { files } }) =>
        startAdmission("admission", { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile }),
      ),
    );
    this.#gate.leadTo(this.#admissions.map(({ port }) => port));
  }

  /** Tries to create a SampleDB, which is not stored, and gives what it would be; rejects with the refusal. */
  async tryToCreate(): Promise<string> {
    const metadata = { name: "trial", namespace: "shop" };
    const trial = { apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata, spec: {} };
    const create = ["create", "--dry-run=server", "-o", "json", "-f", "-"];
    return this.cluster.kubectl(create, JSON.stringify(trial));
  }

  /** Waits until a creation passes both webhooks. */
  async untilAdmitted(): Promise<void> {
    const isAdmitted = async (): Promise<true | undefined> =>
      (await this.tryToCreate()).includes("sampledb.dev/retire") || undefined;
    await waitUntil(isAdmitted, { what: "admission", timeoutMs: 120_000 });
  }

  startLoad(label: string): Load {
    return new Load(this.#plain, label, () => this.#gate.endConnections());
  }

  /** How often the API server connected to admission so far. */
  get connections(): number {
    return this.#gate.connections;
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
    const socket = connect({ host: "localhost", port, ca, servername: SERVER_NAME });
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
    return Buffer.from((await this.api.read(LEAF))?.data?.[key] ?? "", "base64").toString();
  }
}
