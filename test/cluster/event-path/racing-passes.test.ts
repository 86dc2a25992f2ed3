import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import { report } from "../../../functions/report/report.ts";
import { retire } from "../../../functions/retire/retire.ts";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { type ApiServer, apiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Cluster } from "../../../functions/shared/kube/cluster.ts";
import { kubeCluster } from "../../../functions/shared/kube/kube-cluster.ts";
import { pass } from "../../../functions/shared/kube/pass.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { endState } from "../../support/delivery/end-state.ts";
import { allChildren, apply, childrenOf, clusterWithCrd, randomFrom } from "./world.ts";

const FUNCTIONS = [provision, initialize, retire, report];
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** The port with a random pause before each call, so that two passes interleave differently with every seed. */
const slowed = (cluster: Cluster, random: () => number): Cluster => {
  const pause = (): Promise<void> => wait(random() * 30);
  return {
    observe: async (key, ...reads) => pause().then(() => cluster.observe(key, ...reads)),
    sampledb: async (key) => pause().then(() => cluster.sampledb(key)),
    carryOut: async (action, manager) => pause().then(() => cluster.carryOut(action, manager)),
  };
};

/** How a SampleDB and its children ended, as text that can be compared. */
const stateOf = async (cluster: LocalCluster, name: string): Promise<string> => {
  const kinds = "secrets,configmaps,services,persistentvolumeclaims,statefulsets,poddisruptionbudgets,jobs";
  const children: { readonly items: readonly unknown[] } = JSON.parse(
    await cluster.kubectl(["get", kinds, "-l", `${LABEL.database}=${name}`, "-o", "json"]),
  );
  const own: unknown = JSON.parse(await cluster.kubectl(["get", "sampledb", name, "-o", "json"]));
  return endState(own, children.items, { namespace: "default", name });
};

describe("two passes that race on one key", () => {
  let cluster: LocalCluster;
  let api: ApiServer;
  const run = (name: string, random?: () => number): Promise<unknown> =>
    pass(
      {
        clusterUntil: (signal) => {
          const real = kubeCluster(api, signal);
          return random === undefined ? real : slowed(real, random);
        },
        functions: FUNCTIONS,
        catalog: () => BUILT_IN_CATALOG,
        tell: (note) => {
          if (note.note === "plan-failed") throw note.cause;
        },
      },
      { namespace: "default", name },
    );

  before(async () => {
    cluster = await clusterWithCrd();
    api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  });
  after(async () => {
    api.close();
    await cluster.stop();
  });

  for (const seed of SEEDS) {
    it(`end where one alone ends (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const [serial, raced] = [`serial-${seed}`, `raced-${seed}`];
      await apply(cluster, serial);
      await apply(cluster, raced);
      for (let round = 0; round < 3; round += 1) {
        await run(serial);
        await Promise.all([run(raced, random), run(raced, random)]);
      }
      // What a conflict cut short is taken up by the events of the other's writes.
      await run(raced);
      assert.deepEqual(await childrenOf(cluster, raced), allChildren(raced));
      assert.equal(await stateOf(cluster, raced), await stateOf(cluster, serial));
    });
  }
});
