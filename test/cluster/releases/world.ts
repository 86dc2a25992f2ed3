import assert from "node:assert/strict";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { type AuditEvent, auditEvents } from "../../support/audit-log.ts";
import { type LocalCluster, startCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { allChildren } from "../event-path/world.ts";
import { Release } from "./release.ts";

const KINDS = "secrets,configmaps,services,persistentvolumeclaims,statefulsets,poddisruptionbudgets";
const WRITES = new Set(["create", "update", "patch", "delete"]);

export const soon = <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> =>
  waitUntil(ask, { what, timeoutMs: 300_000, everyMs: 200 });

const textOf = (namespace: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata: { name, namespace }, spec });

/** A real API server with two releases on it: one without a name, whose default is PostgreSQL 17, and `blue`, whose default is 16. */
export class World {
  readonly cluster: LocalCluster;
  readonly first: Release;
  readonly blue: Release;

  private constructor(cluster: LocalCluster, [first, blue]: readonly [Release, Release]) {
    this.cluster = cluster;
    this.first = first;
    this.blue = blue;
  }

  static async start(): Promise<World> {
    const cluster = await startCluster({ level: "api" });
    try {
      await installCrds(cluster.kubectl);
      const both = await Promise.all([
        Release.install(cluster, { namespace: "sampledb-system", defaultVersion: "17" }),
        Release.install(cluster, { namespace: "sampledb-blue", name: "blue", defaultVersion: "16" }),
      ]);
      return new World(cluster, both);
    } catch (cause) {
      await cluster.stop();
      throw cause;
    }
  }

  async stop(): Promise<void> {
    await this.first.stop();
    await this.blue.stop();
    await this.cluster.stop();
  }

  readonly kubectl = (...args: readonly string[]): Promise<string> => this.cluster.kubectl(args);

  create(namespace: string, name: string, spec: object = {}, ...more: readonly string[]): Promise<string> {
    return this.cluster.kubectl(["create", ...more, "-f", "-"], textOf(namespace, name, spec));
  }

  version(namespace: string, name: string): Promise<string> {
    return this.kubectl("get", "sdb", name, "-n", namespace, "-o", "jsonpath={.spec.version}");
  }

  /** Creates one, as soon as webhooks and policies let it, and waits until every child is there and status is told. */
  async make(namespace: string, name: string, spec: object = {}): Promise<void> {
    const text = textOf(namespace, name, spec);
    await soon(`${namespace}/${name} to be created`, () => this.cluster.kubectl(["apply", "-f", "-"], text));
    await this.untilConverged(namespace, name);
  }

  untilConverged(namespace: string, name: string): Promise<true> {
    return soon<true>(`${namespace}/${name} to converge`, async () => {
      const label = `${LABEL.database}=${name}`;
      const list = await this.kubectl("get", KINDS, "-n", namespace, "-l", label, "-o", "name");
      assert.deepEqual(list.trim().split("\n").toSorted(), allChildren(name));
      const path = "jsonpath={.metadata.generation}/{.status.observedGeneration}";
      const told = await this.kubectl("get", "sdb", name, "-n", namespace, "-o", path);
      const [generation, observed] = told.split("/");
      assert.equal(observed, generation);
      return true;
    });
  }

  /** Deletes a Service by hand and waits until it is back. */
  async untilRepaired(namespace: string, name: string): Promise<void> {
    await this.kubectl("delete", "service", name, "-n", namespace);
    await this.untilConverged(namespace, name);
  }

  /** How many requests the API server has answered. */
  async position(): Promise<number> {
    return (await auditEvents(this.cluster.auditLogFile)).length;
  }

  /** What the accounts of a release asked for, from a position on. */
  async askedBy(release: Release, from = 0): Promise<readonly AuditEvent[]> {
    const events = (await auditEvents(this.cluster.auditLogFile)).slice(from);
    return events.filter(({ user }) => user.username.startsWith(release.users));
  }

  /** The namespaces in which a release wrote anything but in its own, from a position on. */
  async writtenBy(release: Release, from = 0): Promise<readonly string[]> {
    const writes = (await this.askedBy(release, from)).filter(({ verb }) => WRITES.has(verb));
    const namespaces = writes.map(({ objectRef }) => objectRef?.namespace ?? "");
    const others = namespaces.filter((each) => each !== "" && each !== release.options.namespace);
    return [...new Set(others)].toSorted();
  }
}
