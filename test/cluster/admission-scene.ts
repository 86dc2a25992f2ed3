import { webhookConfigurations } from "../../functions/certify/webhook-configurations.ts";
import { startAdmission } from "../support/admission-process.ts";
import type { AdmissionProcess } from "../support/admission-process.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { httpsCall } from "../support/https-call.ts";
import { makeTlsFolder } from "../support/tls-folder.ts";
import type { TlsFolder } from "../support/tls-folder.ts";
import { installCrds } from "../support/deploy/install-crds.ts";

/** What kubectl said, and whether it was content. */
export type Said = { readonly ok: boolean; readonly text: string };

/** A real API server with the CRD on it and nothing else. */
export const startCrdCluster = async (): Promise<LocalCluster> => {
  const cluster = await startCluster({ level: "api", auditLog: false });
  await installCrds(cluster.kubectl);
  await cluster.kubectl(["create", "namespace", "shop"]);
  return cluster;
};

/** Runs kubectl where a refusal is an answer, not an error. */
export const ask = async (cluster: LocalCluster, args: readonly string[], input?: string): Promise<Said> => {
  try {
    return { ok: true, text: await cluster.kubectl(args, input) };
  } catch (cause) {
    return { ok: false, text: cause instanceof Error ? cause.message : String(cause) };
  }
};

/** Admission as a process on this host, and the webhooks that lead to it. */
export class Admission {
  readonly #process: AdmissionProcess;
  readonly #folder: TlsFolder;

  private constructor(process: AdmissionProcess, folder: TlsFolder) {
    this.#process = process;
    this.#folder = folder;
  }

  static async start(cluster: LocalCluster): Promise<Admission> {
    const folder = await makeTlsFolder();
    await folder.renew();
    const { certFile, keyFile } = folder.files;
    const running = await startAdmission("admission", { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
    const admission = new Admission(running, folder);
    await httpsCall(`https://localhost:${running.port}/readyz`, { ca: folder.ca });
    await admission.#install(cluster);
    return admission;
  }

  async #install(cluster: LocalCluster): Promise<void> {
    const role = ["create", "clusterrole", "certify", "--verb=get", "--resource=pods", "-o", "name"];
    await cluster.kubectl(role);
    const uid = await cluster.kubectl(["get", "clusterrole", "certify", "-o", "jsonpath={.metadata.uid}"]);
    const settings = {
      service: "admission",
      namespace: "sampledb-system",
      port: 443,
      readyTimeout: 1,
    };
    const items = webhookConfigurations(settings, { name: "certify", uid }, this.#folder.ca).map(
      (configuration) =>
        Object.assign({}, configuration, {
          webhooks: configuration.webhooks.map((webhook) => this.#onThisHost(webhook)),
        }),
    );
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    const wrong =
      "apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata: {name: probe, namespace: shop}\nspec: {version: '9'}";
    const isInForce = async (): Promise<true | undefined> => {
      const { text } = await ask(cluster, ["apply", "--dry-run=server", "-f", "-"], wrong);
      return text.includes("must be one of 15") || undefined;
    };
    await waitUntil(isInForce, { what: "the webhooks", timeoutMs: 120_000 });
  }

  /** The webhook, as certify configures it, but reached by URL. */
  #onThisHost(webhook: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const [name = ""] = String(webhook["name"]).split(".");
    const caBundle = Buffer.from(this.#folder.ca).toString("base64");
    return { ...webhook, clientConfig: { caBundle, url: `https://localhost:${this.#process.port}/${name}` } };
  }

  get output(): string {
    return this.#process.output();
  }

  async stop(): Promise<void> {
    await this.#process.end();
    this.#folder.remove();
  }
}
