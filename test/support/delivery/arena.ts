import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { type ApiServer, apiServer } from "../../../functions/shared/kube/api-server.ts";
import { bundle } from "../build/bundle.ts";
import { type LocalCluster, startCluster } from "../cluster/index.ts";
import { installCrds } from "../deploy/install-crds.ts";
import { Feed } from "./feed.ts";
import { readyNode } from "./ready-node.ts";
import { Instance, type Instances } from "./instance.ts";
import { STORAGE_CLASS } from "./volumes.ts";
import { type Plan, planOf } from "./plan.ts";
import { PROFILES, type ProfileName } from "./profiles.ts";
import type { Result } from "./simulation-options.ts";
import { Simulation } from "./simulation.ts";
import type { Story } from "./story.ts";

/** How stories end under serial delivery without faults, by their text. They outlive an arena. */
export type SerialEnds = Map<string, Promise<string>>;

const SERIAL_NAME = "orders";

const renamed = (story: Story, from: string, to: string): Story => {
  const result: Story = JSON.parse(JSON.stringify(story).replaceAll(from, to));
  return result;
};

const serialPlan = (story: Story): Plan => ({
  seed: 0,
  profile: PROFILES.any,
  wire: "source",
  lines: "one a kind",
  parts: [{ name: SERIAL_NAME, scenario: "create", story, moments: [] }],
  themes: ["drop", "drop"],
  roughness: 0,
  releases: false,
  startsAfter: 0,
});

/** A real API server and pairs of real processes, on which simulations run side by side, each in a namespace of its own. */
export class Arena {
  readonly #cluster: LocalCluster;
  /** Of the bundle that the processes run. */
  readonly #folder: string;
  readonly #api: ApiServer;
  readonly #feed: Feed;
  readonly #node: Disposable;
  readonly #serialEnds: SerialEnds;
  readonly #free: Instances[];
  #runs = 0;

  private constructor(
    cluster: LocalCluster,
    parts: {
      readonly folder: string;
      readonly api: ApiServer;
      readonly feed: Feed;
      readonly node: Disposable;
      readonly pairs: Instances[];
      readonly ends: SerialEnds;
    },
  ) {
    this.#cluster = cluster;
    this.#folder = parts.folder;
    this.#api = parts.api;
    this.#feed = parts.feed;
    this.#node = parts.node;
    this.#free = parts.pairs;
    this.#serialEnds = parts.ends;
  }

  /** An arena for so many simulations at once. */
  static async start(pairs: number, ends: SerialEnds = new Map()): Promise<Arena> {
    const folder = await mkdtemp(join(tmpdir(), "sampledb-arena-"));
    const cluster = await startCluster({ level: "api", auditLog: false });
    try {
      // As it is deployed, which also starts again sooner after each kill.
      const { file: program } = await bundle("reconcile", folder);
      await installCrds(cluster.kubectl);
      await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(STORAGE_CLASS));
      const access = readAccess({ KUBECONFIG: cluster.kubeconfig });
      const api = apiServer(access);
      const node = await readyNode(api);
      const feed = await Feed.start(api);
      const pair = async (): Promise<Instances> =>
        Promise.all([Instance.start(access, program), Instance.start(access, program)]);
      const all = await Promise.all(Array.from({ length: pairs }, pair));
      return new Arena(cluster, { folder, api, feed, node, pairs: all, ends });
    } catch (cause) {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
      throw cause;
    }
  }

  /** Runs a seed. At most as many at once as there are pairs. */
  async run(seed: number, profile: ProfileName = "any"): Promise<Result> {
    const pair = this.#free.pop();
    if (pair === undefined) throw new Error("every pair of processes is in use");
    try {
      const plan = planOf(seed, PROFILES[profile]);
      const expected = new Map<string, string>();
      for (const { name, story } of plan.parts) expected.set(name, await this.#serialEnd(story, name, pair));
      return await this.#simulate(pair, { plan, mode: "faulty", expected });
    } finally {
      this.#free.push(pair);
    }
  }

  async stop(): Promise<void> {
    await this.#feed.stop();
    this.#node[Symbol.dispose]();
    this.#api.close();
    for (const pair of this.#free) for (const instance of pair) await instance.stop();
    await this.#cluster.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #serialEnd(story: Story, name: string, pair: Instances): Promise<string> {
    const own = renamed(story, name, SERIAL_NAME);
    const id = JSON.stringify(own);
    const known = this.#serialEnds.get(id);
    if (known !== undefined) return known;
    const found = this.#runSerially(own, pair);
    this.#serialEnds.set(id, found);
    return found;
  }

  async #runSerially(story: Story, pair: Instances): Promise<string> {
    const { broken, ends, trace } = await this.#simulate(pair, { plan: serialPlan(story), mode: "serial" });
    const end = ends.get(SERIAL_NAME);
    if (broken.length === 0 && end !== undefined) return end;
    throw new Error(`serial delivery of ${JSON.stringify(story)}:\n${[...broken, ...trace].join("\n")}`);
  }

  #simulate(
    instances: Instances,
    run: {
      readonly plan: Plan;
      readonly mode: "faulty" | "serial";
      readonly expected?: ReadonlyMap<string, string>;
    },
  ): Promise<Result> {
    this.#runs += 1;
    const stage = { api: this.#api, feed: this.#feed, instances };
    return new Simulation({ stage, namespace: `${run.mode}-${run.plan.seed}-${this.#runs}`, ...run }).run();
  }
}
