import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { INIT_SCRIPT } from "../../../functions/initialize/init-script.ts";
import { initJob } from "../../../functions/initialize/job.ts";
import type { Task } from "../../../functions/initialize/task.ts";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { childNames } from "../../../functions/shared/api/child-names.ts";
import { completeSpec } from "../../../functions/shared/api/complete-spec.ts";
import type { InitScript } from "../../../functions/shared/api/sampledb.ts";
import type { Job } from "../../../functions/shared/kube/kinds.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const jobOf = (scripts: readonly InitScript[] = []): Job => {
  const task: Task = {
    namespace: "shop",
    name: "orders",
    uid: "uid-orders",
    spec: completeSpec(makeSampleDB(), BUILT_IN_CATALOG),
    names: childNames("orders"),
    mode: "initialize",
    image: "example.com/postgres:17",
    scripts,
    digest: "none",
    inputs: "hash",
    credentials: "digest",
  };
  const job = initJob(task);
  if (job.kind !== "Job") throw new Error(`made a ${job.kind}`);
  return job;
};

const podOf = (job: Job) => job.spec?.template.spec;

/** What the kubelet makes of an argument: `$(NAME)` is a variable, `$$` is `$`. */
const expanded = (argument: string, variables: ReadonlySet<string>): string =>
  argument.replaceAll(/\$\$|\$\((?<name>[^)]*)\)/gu, (text, name: string | undefined) => {
    if (text === "$$") return "$";
    return name !== undefined && variables.has(name) ? "expanded" : text;
  });

describe("the init Job's object", () => {
  it("carries the script through the kubelet's expansion unchanged", () => {
    const container = podOf(jobOf())?.containers[0];
    const variables = new Set(container?.env?.map(({ name }) => name));
    assert.equal(expanded(container?.args?.[0] ?? "", variables), INIT_SCRIPT);
  });

  it("mounts each script under its place in the order, its kind and its name", () => {
    const pod = podOf(
      jobOf([
        { secretKeyRef: { name: "orders-more", key: "data.sql" } },
        { configMapKeyRef: { name: "orders-sql", key: "schema.sql" } },
      ]),
    );
    assert.deepEqual(pod?.volumes?.find(({ name }) => name === "scripts")?.projected?.sources, [
      {
        secret: {
          name: "orders-more",
          items: [{ key: "data.sql", path: "001/secret/orders-more/data.sql" }],
        },
      },
      {
        configMap: {
          name: "orders-sql",
          items: [{ key: "schema.sql", path: "002/configmap/orders-sql/schema.sql" }],
        },
      },
    ]);
    assert.equal(pod.containers[0]?.workingDir, "/etc/sampledb/init");
  });

  it("is not tried again after an answer that stays the same, and not failed by a drained node", () => {
    assert.deepEqual(jobOf().spec?.podFailurePolicy?.rules, [
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      { action: "FailJob", onExitCodes: { operator: "In", values: [65, 66] } },
    ]);
    assert.equal(podOf(jobOf())?.restartPolicy, "Never");
  });

  it("holds no password", () => {
    for (const { name, value } of podOf(jobOf())?.containers[0]?.env ?? []) {
      assert.equal(name.endsWith("_PASSWORD"), value === undefined, name);
    }
  });

  it("has a pod that no Service and no StatefulSet selects", () => {
    const labels = jobOf().spec?.template.metadata?.labels ?? {};
    assert.equal(labels["sampledb.dev/role"], "init");
    assert.equal(labels["sampledb.dev/instance"], undefined);
  });
});
