import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { useApiLevel, writtenSampleDB } from "../../support/api-level.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import type { FakeApiServer } from "../../support/fake-api-server.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";

const child = (name: string, database: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop", labels: { [LABEL.database]: database } },
});

describe("source on a real API server", () => {
  const level = useApiLevel();
  let sink: FakeApiServer;
  let source: FunctionProcess;
  let seen = 0;

  const start = async (): Promise<void> => {
    source = startFunction("source", { KUBECONFIG: level().cluster.kubeconfig, SINK: sink.url });
    const url = await source.url();
    await until("readiness", async () => (await fetch(`${url}/readyz`)).status === 200, 30_000);
  };
  /** Names that were sent since the last test began or `forget` was called. */
  const sent = (): ReadonlySet<string> =>
    new Set(sink.requests.slice(seen).map(({ headers }) => String(headers["ce-name"])));
  const forget = (): void => {
    seen = sink.requests.length;
  };
  const told = (...names: readonly string[]): Promise<true> =>
    until(
      `the keys of ${names.join(", ")}`,
      () => names.every((name) => sent().has(name)) || undefined,
      60_000,
    );
  const kubectl = (...args: readonly string[]): Promise<string> =>
    level().cluster.kubectl([...args, "-n", "shop"]);

  before(async () => {
    sink = await fakeApiServer(() => ({ status: 204 }));
    for (const name of ["orders", "users"]) await level().apply(writtenSampleDB(name));
    await level().apply(child("orders", "orders"));
    await start();
  });
  after(async () => {
    await source[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });
  beforeEach(forget);

  it("has sent what existed when it started", async () => {
    seen = 0;
    await told("orders", "users");
  });

  it("sends a new, a changed and a deleted SampleDB", async () => {
    await level().apply(writtenSampleDB("stock"));
    await told("stock");
    forget();
    await kubectl("patch", "sdb", "stock", "--type=merge", "-p", '{"spec":{"paused":true}}');
    await told("stock");
    forget();
    await kubectl("delete", "sdb", "stock", "--wait=false");
    await told("stock");
  });

  it("sends the SampleDB of a child that is deleted by hand, and nothing for other objects", async () => {
    await kubectl("create", "configmap", "unrelated");
    await kubectl("delete", "configmap", "orders");
    await told("orders");
    assert.deepEqual(sent(), new Set(["orders"]));
  });

  it("makes up, after it was killed, for what it missed", async () => {
    source.kill("SIGKILL");
    await source.ended;
    for (const name of ["a", "b", "c"]) await level().apply(writtenSampleDB(name));
    await kubectl("patch", "sdb", "users", "--type=merge", "-p", '{"spec":{"paused":true}}');
    await level().apply(child("gone", "gone"));
    forget();
    await start();
    await told("a", "b", "c", "orders", "users", "gone");
  });

  it("goes on when the API server was away, and misses nothing meanwhile", async () => {
    await level().cluster.stopComponent("kube-apiserver");
    await until(
      "the source to notice",
      () => source.logs.some(({ message }) => /ECONNREFUSED/u.test(String(message))),
      30_000,
    );
    await level().cluster.startComponent("kube-apiserver");
    await level().apply(child("users", "users"));
    await told("users");
    forget();
    await kubectl("delete", "configmap", "users");
    await told("users");
  });

  it("ends in order when it is asked to", async () => {
    source.kill("SIGTERM");
    assert.equal(await source.ended, 0, source.stderr());
  });
});
