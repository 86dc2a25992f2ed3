import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/cluster/free-port.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type FunctionProcess, startFunction } from "../../support/function-process.ts";
import { apply, clusterWithCrd, randomFrom, untilConverged } from "./world.ts";

const requestedMemory = (cluster: LocalCluster, name: string): Promise<string> =>
  cluster.kubectl([
    "get",
    "statefulset",
    `${name}-1`,
    "-o",
    "jsonpath={.spec.template.spec.containers[0].resources.requests.memory}",
  ]);

const started = async (name: string, env: Readonly<Record<string, string>>): Promise<FunctionProcess> => {
  const process = startFunction(name, env);
  await process.url();
  return process;
};

describe("functions that are killed", () => {
  let cluster: LocalCluster;
  let port: string;
  const env = (): Readonly<Record<string, string>> => ({ KUBECONFIG: cluster.kubeconfig });
  const reconcile = (): Promise<FunctionProcess> => started("reconcile", { ...env(), PORT: port });
  const source = (): Promise<FunctionProcess> =>
    started("source", { ...env(), SINK: `http://127.0.0.1:${port}` });

  before(async () => {
    port = String(await freePort());
    cluster = await clusterWithCrd();
  });
  after(() => cluster.stop());

  it("repair what happened while source was down: three created, one edited, one child deleted by hand", async () => {
    await using _ = await reconcile();
    const first = await source();
    await apply(cluster, "old");
    await untilConverged(cluster, "old");
    first.kill("SIGKILL");
    await first.ended;
    for (const name of ["a", "b", "c"]) await apply(cluster, name);
    await apply(cluster, "old", { resources: { requests: { memory: "300Mi" } } });
    await cluster.kubectl(["delete", "service", "old"]);
    await using again = await source();
    for (const name of ["a", "b", "c", "old"]) await untilConverged(cluster, name);
    assert.equal(again.stderr(), "");
    const edited = async (): Promise<true | undefined> =>
      (await requestedMemory(cluster, "old")) === "300Mi" || undefined;
    await waitUntil(edited, { what: "the edit", timeoutMs: 300_000 });
  });

  for (const seed of [1, 2, 3]) {
    it(`converge when reconcile is killed at a random moment (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const killed = await reconcile();
      await using watching = await source();
      const name = `killed-${seed}`;
      await apply(cluster, name);
      // Moments within the first passes, which take some tens of milliseconds.
      await wait(random() * 150);
      killed.kill("SIGKILL");
      assert.equal(await killed.ended, "SIGKILL");
      await using _ = await reconcile();
      await untilConverged(cluster, name);
      assert.equal(watching.stderr(), "");
    });
  }
});
