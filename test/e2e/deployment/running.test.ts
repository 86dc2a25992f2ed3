import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { SYSTEM_NAMESPACE } from "../../support/deploy/deploy.ts";
import { errorLines, functionLogs } from "../../support/function-logs.ts";
import { sharedNode } from "../../support/shared-node.ts";

const IN = ["-n", SYSTEM_NAMESPACE];

describe("the functions as they are deployed", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  /** The one pod of reconcile; undefined while one that is ending is there too. */
  const onlyReconcile = async (): Promise<string | undefined> => {
    const pods = ["-l", "app.kubernetes.io/component=reconcile", "-o", "jsonpath={.items[*].metadata.name}"];
    const [pod, ...others] = (await cluster.kubectl(["get", ...IN, "pods", ...pods])).split(" ");
    return others.length === 0 ? pod : undefined;
  };
  before(async () => {
    cluster = await sharedNode();
  });

  it("run under Pod Security restricted, which refuses none of their pods", async () => {
    const level = ["get", "namespace", SYSTEM_NAMESPACE, "-o", "jsonpath={.metadata.labels}"];
    assert.match(await cluster.kubectl(level), /"pod-security\.kubernetes\.io\/enforce":"restricted"/u);
    const refused = ["--field-selector", "reason=FailedCreate", "-o", "jsonpath={.items[*].message}"];
    assert.equal(await cluster.kubectl(["get", "events", ...IN, ...refused]), "");
    for (const name of ["admission", "reconcile", "source"])
      await cluster.kubectl(["rollout", "status", ...IN, `deployment/${name}`, "--timeout=600s"]);
  });

  it("sweep every minute", async () => {
    const last = ["get", "cronjob", "resync", ...IN, "-o", "jsonpath={.status.lastSuccessfulTime}"];
    const started = Date.now();
    await waitUntil(async () => Date.parse(await cluster.kubectl(last)) > started - 60_000 || undefined, {
      what: "a sweep",
      timeoutMs: 600_000,
      everyMs: 1000,
    });
  });

  it("end with exit code 0 when they are asked to in the middle of their work, which goes on elsewhere", async () => {
    const orders = await database(cluster, "ended");
    await cluster.kubectl(["rollout", "status", ...IN, "deployment/reconcile", "--timeout=600s"]);
    const pod = await waitUntil(onlyReconcile, {
      what: "the end of all reconcile pods but one",
      timeoutMs: 300_000,
    });
    const end = ["--", "node", "-e", "process.kill(1, 'SIGTERM')"];
    // What it asks to end may end it, and its answer with it, before that is given.
    const ending = cluster.kubectl(["exec", ...IN, pod, ...end]).catch(() => "");
    await Promise.all([orders.apply({ paused: false }), ending]);
    const code = "jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}";
    const exitCode = await waitUntil(
      async () => (await cluster.kubectl(["get", "pod", pod, ...IN, "-o", code])) || undefined,
      { what: "the end of reconcile", timeoutMs: 300_000, everyMs: 200 },
    );
    assert.equal(exitCode, "0");
    const log = (await cluster.kubectl(["logs", ...IN, pod, "--previous"])).trim().split("\n");
    assert.match(log.at(-1) ?? "", /"message":"ended"/u);
    await orders.untilReady();
    await dropNamespaces("ended");
  });

  it("log no error", async () => {
    assert.ok((await functionLogs(cluster)).length > 0);
    assert.deepEqual(await errorLines(cluster), []);
  });
});
