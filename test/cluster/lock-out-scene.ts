import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { certify } from "../../functions/certify/certify.ts";
import { apiOn } from "../../functions/certify/api.ts";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../functions/shared/kube/read-access.ts";
import { ensureBinaries } from "../support/cluster/binaries.ts";
import { freePort } from "../support/cluster/free-port.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { run } from "../support/cluster/run.ts";
import { installCrds } from "../support/deploy/install-crds.ts";
import { objectsIn } from "../../deploy/shared/rendered.ts";
import { renderOwn } from "../support/kustomize/render.ts";
import { ask } from "./admission-scene.ts";
import type { Said } from "./admission-scene.ts";

const FINALIZER = "sampledb.dev/retire";
const ROOT = resolve(import.meta.dirname, "../..");

const readmeLine = (what: string, isIt: (line: string) => boolean): string => {
  const line = readFileSync(join(ROOT, "manifests/README.md"), "utf8").split("\n").find(isIt);
  if (line === undefined) throw new Error(`manifests/README.md has no command ${what}`);
  return line;
};

/** The command that manifests/README.md gives for a case, which stands in a comment behind it. */
export const breakGlass = (when: string): string =>
  readmeLine(`for: ${when}`, (line) => line.startsWith("kubectl ") && line.endsWith(` # ${when}`));

/** The command of manifests/README.md that begins so. */
export const readmeCommand = (start: string): string =>
  readmeLine(`that begins with: ${start}`, (line) => line.startsWith(start));

/** A SampleDB as admission leaves it. */
const sampledb = (name: string, protection: boolean): object => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: "shop", finalizers: [FINALIZER] },
  spec: { version: "17", deletion: { protection } },
});

/** A real API server with everything installed, in whose functions' namespace nobody answers: no pod runs there. */
export class SilentAdmission {
  readonly cluster: LocalCluster;
  readonly #api: ApiServer;
  readonly #kubectl: string;
  readonly #port: number;

  private constructor(cluster: LocalCluster, kubectl: string, port: number) {
    this.cluster = cluster;
    this.#kubectl = kubectl;
    this.#port = port;
    this.#api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  }

  static async start(): Promise<SilentAdmission> {
    const cluster = await startCluster({ level: "api", auditLog: false });
    const binaries = await ensureBinaries("api", () => undefined);
    const scene = new SilentAdmission(cluster, binaries.path("kubectl"), await freePort());
    await cluster.kubectl(["create", "namespace", "shop"]);
    return scene;
  }

  async stop(): Promise<void> {
    this.#api.close();
    await this.cluster.stop();
  }

  readonly kubectl = (...args: readonly string[]): Promise<string> => this.cluster.kubectl(args);

  readonly say = (...args: readonly string[]): Promise<Said> => ask(this.cluster, args);

  /** kubectl with these arguments on these objects. */
  on(args: readonly string[], items: readonly object[]): Promise<string> {
    const text = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    return this.cluster.kubectl([...args, "-f", "-"], text);
  }

  readonly apply = (...items: readonly object[]): Promise<string> => this.on(["apply"], items);

  /** Creates, changes and deletes these objects. */
  async writeAll(items: readonly object[]): Promise<void> {
    await this.on(["create"], items);
    await this.on(["label", "swept=true"], items);
    await this.on(["delete", "--wait=false"], items);
  }

  /** Runs a line of shell as an administrator would who has kubectl, this cluster's kubeconfig and a checkout. */
  sh(line: string): Promise<string> {
    const path = `${dirname(this.#kubectl)}:${process.env["PATH"] ?? ""}`;
    const env = { ...process.env, PATH: path, KUBECONFIG: this.cluster.kubeconfig };
    return run(["sh", "-eu", "-c", line], { env, cwd: ROOT });
  }

  readonly installCrds = (): Promise<void> => installCrds(this.cluster.kubectl);

  /** The overlay with this namespace. Its Service leads to this host, where nobody listens, so that calls fail at once. */
  async overlay(namespace: string): Promise<readonly object[]> {
    const objects = objectsIn(
      await renderOwn(this.cluster.kubectl, { paths: ["overlays/kubernetes"], namespace }),
    );
    return objects.map((object) =>
      object.kind === "Service" && object.metadata.name === "admission"
        ? Object.assign({}, object, { spec: { type: "ExternalName", externalName: "localhost" } })
        : object,
    );
  }

  /** SampleDBs as admission leaves them: `living`, `guarded` (protected) and `ending` (deleted, waiting for its function). */
  async makeSampleDBs(): Promise<void> {
    await this.apply(sampledb("living", false), sampledb("ending", false), sampledb("guarded", true));
    await this.kubectl("delete", "sdb", "ending", "-n", "shop", "--wait=false");
  }

  /** The overlay in this namespace, and the webhook configurations as certify makes them. */
  async installFunctions(namespace: string): Promise<void> {
    await this.on(["create"], await this.overlay(namespace));
    await certify({
      api: apiOn(this.#api),
      settings: { namespace, service: "admission", port: this.#port, readyTimeout: 1 },
      probe: () => Promise.resolve(undefined),
      now: () => new Date(),
      pause: () => Promise.resolve(),
      log: () => undefined,
    });
  }
}
