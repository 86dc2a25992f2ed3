import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect } from "node:tls";
import { sender } from "../../functions/shared/serve/send.ts";
import { accountKubeconfig } from "../support/account-kubeconfig.ts";
import { auditEvents } from "../support/audit-log.ts";
import { freePort } from "../support/cluster/free-port.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { dieWithOwner } from "../support/die-with-owner.ts";
import { run } from "../support/cluster/run.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { rightsUsed } from "../support/kustomize/rights-used.ts";
import type { RightsUsed } from "../support/kustomize/rights-used.ts";
import { render } from "../support/kustomize/render.ts";
import { installCrds } from "../support/deploy/install-crds.ts";

const FUNCTIONS = resolve(import.meta.dirname, "../../functions");
const SYSTEM = ["-n", "sampledb-system"] as const;
const CERTIFY = "system:serviceaccount:sampledb-system:certify";

type Reviews = Readonly<Record<"mutate" | "validate", number>>;

/** A real API server with the overlay on it, certify as a process with its own rights, and admission as a process on this host. */
export class CertifyScene {
  readonly #cluster: LocalCluster;
  readonly #folder: string;
  readonly #port: number;
  #admission: ChildProcess | undefined;

  private constructor(cluster: LocalCluster, folder: string, port: number) {
    this.#cluster = cluster;
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<CertifyScene> {
    const folder = await mkdtemp(join(tmpdir(), "sampledb-certify-"));
    const scene = new CertifyScene(await startCluster({ level: "api" }), folder, await freePort());
    await installCrds(scene.kubectl);
    await scene.apply(await render(scene.kubectl, "overlays/kubernetes"));
    // The API server runs on this host, and so does admission here: the Service leads there.
    await scene.kubectl(["delete", "service", "admission", ...SYSTEM]);
    const toHere = ["--external-name=localhost", ...SYSTEM];
    await scene.kubectl(["create", "service", "externalname", "admission", ...toHere]);
    const kubeconfig = await accountKubeconfig(scene.kubectl, "certify", "sampledb-system");
    await writeFile(join(folder, "certify.kubeconfig"), kubeconfig);
    return scene;
  }

  async stop(): Promise<void> {
    const admission = this.#admission;
    if (admission?.exitCode === null) {
      admission.kill();
      await once(admission, "exit");
    }
    await this.#cluster.stop();
    await rm(this.#folder, { recursive: true });
  }

  readonly kubectl = (args: readonly string[], input?: string): Promise<string> =>
    this.#cluster.kubectl(args, input);

  readonly apply = (text: string, ...more: readonly string[]): Promise<string> =>
    this.kubectl(["apply", ...more, "-f", "-"], text);

  /** Runs certify as its own service account, as the Job does. */
  certify(timeoutSeconds = 300): Promise<string> {
    return run([process.execPath, join(FUNCTIONS, "certify/index.ts"), "once"], {
      env: {
        ...process.env,
        KUBECONFIG: join(this.#folder, "certify.kubeconfig"),
        POD_NAMESPACE: "sampledb-system",
        PORT_OF_ADMISSION: `${this.#port}`,
        ADMISSION_ADDRESS: `localhost:${this.#port}`,
        READY_TIMEOUT_SECONDS: `${timeoutSeconds}`,
      },
    });
  }

  startAdmission(): void {
    const env = {
      ...process.env,
      PORT: `${this.#port}`,
      TLS_CERT_FILE: join(this.#folder, "tls.crt"),
      TLS_KEY_FILE: join(this.#folder, "tls.key"),
    };
    const argv = [process.execPath, join(FUNCTIONS, "admission/index.ts")];
    const [command, ...args] = dieWithOwner(argv);
    this.#admission = spawn(command, args, { env, stdio: "ignore" });
  }

  deleteSecrets(...names: readonly string[]): Promise<string> {
    return this.kubectl(["delete", "secret", ...SYSTEM, ...names]);
  }

  /** Puts nonsense in place of admission's key. */
  spoilSecret(): Promise<string> {
    const patch = JSON.stringify({ stringData: { "tls.key": "nonsense" } });
    return this.kubectl([
      "patch",
      "secret",
      "sampledb-admission-tls",
      ...SYSTEM,
      "--type=merge",
      "-p",
      patch,
    ]);
  }

  /** What the kubelet does: the files appear once the Secret is there. */
  async mountSecret(): Promise<void> {
    const certificate = await waitUntil(() => this.#secretText("tls.crt"), {
      what: "admission's Secret",
      timeoutMs: 120_000,
    });
    await writeFile(join(this.#folder, "tls.key"), (await this.#secretText("tls.key")) ?? "");
    await writeFile(join(this.#folder, "tls.crt"), certificate);
  }

  /** Whether admission serves the certificate that is in the Secret. */
  async servesSecret(): Promise<boolean> {
    const stored = new X509Certificate((await this.#secretText("tls.crt")) ?? "");
    const socket = connect({
      host: "localhost",
      port: this.#port,
      ca: await this.#ca(),
      servername: "admission",
    });
    await once(socket, "secureConnect");
    const served = socket.getPeerX509Certificate();
    socket.destroy();
    return served?.fingerprint256 === stored.fingerprint256;
  }

  /** The functions that the API server asks while `act` runs, e.g. "mutate validate". */
  async askedBy(act: () => Promise<unknown>): Promise<string> {
    const earlier = await this.#reviews();
    await act();
    const now = await this.#reviews();
    return (["mutate", "validate"] as const).filter((name) => now[name] > earlier[name]).join(" ");
  }

  /** What certify asked for so far. */
  rightsUsed(): Promise<RightsUsed> {
    return rightsUsed(this.#cluster.auditLogFile, "certify");
  }

  /** How many requests the audit log tells of so far. */
  async auditPosition(): Promise<number> {
    return (await auditEvents(this.#cluster.auditLogFile)).length;
  }

  /** Verb and path of what certify asked for other than reading, from a position of the audit log on. */
  async writesOfCertify(from: number): Promise<readonly string[]> {
    return (await auditEvents(this.#cluster.auditLogFile))
      .slice(from)
      .filter(({ user, verb }) => user.username === CERTIFY && verb !== "get")
      .map(({ verb, requestURI }) => `${verb} ${requestURI.split("?")[0] ?? ""}`);
  }

  async #secretText(key: string): Promise<string | undefined> {
    const path = `jsonpath={.data.${key.replace(".", "\\.")}}`;
    const text = await this.kubectl(["get", "secret", "sampledb-admission-tls", ...SYSTEM, "-o", path]);
    return text === "" ? undefined : Buffer.from(text, "base64").toString();
  }

  async #ca(): Promise<string> {
    return (await this.#secretText("ca.crt")) ?? "";
  }

  /** How often the API server asked each function so far. */
  async #reviews(): Promise<Reviews> {
    const base = new URL(`https://localhost:${this.#port}`);
    const connection = sender({ base, tls: { ca: await this.#ca(), servername: "admission" } }, 1);
    const signal = AbortSignal.timeout(60_000);
    const { body } = await connection.send({ method: "GET", path: "/metrics", signal });
    connection.close();
    const counts = [...body.matchAll(/^sampledb_admission_reviews_total\{function="(\w+)".*\} (\d+)$/gmu)];
    const count = (name: string): number =>
      counts.filter(([, found]) => found === name).reduce((sum, [, , amount]) => sum + Number(amount), 0);
    return { mutate: count("mutate"), validate: count("validate") };
  }
}
