import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { manifestsIn } from "../../support/kustomize/manifest-files.ts";
import { ask } from "../admission-scene.ts";
import type { Said } from "../admission-scene.ts";

/** A real API server with the CRD and policies of manifests/, and no function. */
export class PolicyScene {
  readonly cluster: LocalCluster;

  private constructor(cluster: LocalCluster) {
    this.cluster = cluster;
  }

  /** `files` below manifests/: the policies to install. */
  static async start(...files: readonly string[]): Promise<PolicyScene> {
    const cluster = await startCluster({ level: "api", auditLog: false });
    const scene = new PolicyScene(cluster);
    await installCrds(cluster.kubectl);
    for (const file of files) await scene.apply(...manifestsIn(file));
    return scene;
  }

  async apply(...items: readonly object[]): Promise<void> {
    await this.cluster.kubectl(
      ["apply", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "List", items }),
    );
  }

  say(...args: readonly string[]): Promise<Said> {
    return ask(this.cluster, args);
  }

  /** A SampleDB as a user would write it, and its namespace. */
  async sampledb(namespace: string, name: string, protection?: boolean): Promise<void> {
    await this.apply(
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      {
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { name, namespace },
        spec: protection === undefined ? {} : { deletion: { protection } },
      },
    );
  }

  /** Names of the SampleDBs of a namespace that nobody is deleting. */
  async living(namespace: string): Promise<readonly string[]> {
    const path = "jsonpath={range .items[*]}{.metadata.name}{' '}{.metadata.deletionTimestamp}{'\\n'}{end}";
    const text = await this.cluster.kubectl(["get", "sampledbs", "-n", namespace, "-o", path]);
    return text
      .split("\n")
      .filter((line) => line.endsWith(" "))
      .map((line) => line.trim())
      .toSorted();
  }

  /** Waits until this, tried without effect, is refused (or is not): an API server learns of policies and of what they look at by watching. */
  async untilTried(isRefused: boolean, ...args: readonly string[]): Promise<Said> {
    const tried = async (): Promise<Said | undefined> => {
      const said = await this.say(...args, "--dry-run=server");
      return said.ok === isRefused ? undefined : said;
    };
    return waitUntil(tried, {
      what: `${args.join(" ")} to be ${isRefused ? "refused" : "allowed"}`,
      timeoutMs: 120_000,
    });
  }

  /** Runs the kubectl command that a message recommends in brackets. */
  async obey(message: string): Promise<void> {
    const [, command] = /\(kubectl (.+)\)/u.exec(message) ?? [];
    if (command === undefined) throw new Error(`no command in: ${message}`);
    await this.cluster.kubectl(command.split(" ").map((arg) => arg.replaceAll("'", "")));
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}
