import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeAdmissionMetrics } from "../../functions/shared/serve/admission-metrics.ts";
import { fakeApiServer, failure } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer, FakeRequest } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { until } from "../support/until.ts";

/** A SampleDB that lacks its finalizer; pods may not be listed. */
const cluster = ({ path, query, method }: FakeRequest): FakeAnswer => {
  if (query.get("watch") === "true") return { lines: [] };
  const orders = makeSampleDB({ metadata: { finalizers: [] } });
  if (path.endsWith("/sampledbs/orders")) return { body: orders };
  if (path.endsWith("/sampledbs/gone")) return failure(404, "NotFound", { name: "gone" });
  if (method !== "GET") return { body: {} };
  return { body: { metadata: { resourceVersion: "1" }, items: path.endsWith("/sampledbs") ? [orders] : [] } };
};

/** Samples of a page: the value by name and labels, e.g. `up{a="b"}`. */
const samplesOf = (page: string): ReadonlyMap<string, number> =>
  new Map(
    page
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

const page = async (fn: FunctionProcess): Promise<string> =>
  (await fetch(`${await fn.url()}/metrics`)).text();
const post = async (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  (await fetch(url, { method: "POST", headers })).status;
const event = (name: string, ageMs: number) => ({
  "ce-id": name,
  "ce-specversion": "1.0",
  "ce-type": "t",
  "ce-source": "/s",
  "ce-time": new Date(Date.now() - ageMs).toISOString(),
  "ce-kind": "SampleDB",
  "ce-namespace": "shop",
  "ce-name": name,
});

const WATCH = `sampledb_api_calls_total{function="source",method="WATCH",resource="pods",code="200"}`;

describe("the metrics of functions at work", () => {
  let api: FakeApiServer;
  let started: readonly FunctionProcess[] = [];
  let kubeconfig: ReturnType<typeof kubeconfigFor>;
  let lines: FunctionProcess["logs"] = [];
  const pages: Record<string, string> = {};

  before(async () => {
    api = await fakeApiServer(cluster);
    kubeconfig = kubeconfigFor(api.url);
    const env = { KUBECONFIG: kubeconfig.file };
    const reconcile = startFunction("reconcile", env);
    started = [reconcile];
    const SINK = await reconcile.url();
    const [source, resync] = [
      startFunction("source", { ...env, SINK }),
      startFunction("resync", { ...env, SINK }),
    ];
    const undelivered = startFunction("undelivered", env);
    started = [reconcile, source, resync, undelivered];
    await until("source's event", () => source.logs.some(({ message }) => message === "delivered"));
    assert.equal(await post(await resync.url(), {}), 204);
    // At a path of its own, so that nothing else is counted there.
    await post(`${SINK}/retire`, event("gone", 20_000));
    await post(`${SINK}/retire`, event("gone", -3_600_000));
    assert.equal(await post(SINK, { "ce-id": "" }), 400);
    lines = reconcile.logs.filter(({ message }) => message === "event");
    assert.equal(
      await post(await undelivered.url(), { ...event("gone", 0), "ce-knativeerrorcode": "503" }),
      204,
    );
    await until("source at rest", async () => {
      const samples = samplesOf(await page(source));
      return samples.get("sampledb_waiting_keys") === 0 && (samples.get(WATCH) ?? 0) >= 1;
    });
    Object.assign(pages, {
      reconcile: await page(reconcile),
      source: await page(source),
      resync: await page(resync),
      undelivered: await page(undelivered),
    });
  });
  after(async () => {
    for (const each of started) await each[Symbol.asyncDispose]();
    kubeconfig[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const value = (fn: string, sample: string): number | undefined => samplesOf(pages[fn] ?? "").get(sample);

  it("count events by what came of them, with their duration", () => {
    const name = "sampledb_event_duration_seconds_count";
    // On a busy machine a pass may take too long, which is an outcome too, and its event comes again.
    for (const outcome of new Set(lines.map((line) => String(line["outcome"])))) {
      const told = lines.filter((line) => line["path"] === "/" && line["outcome"] === outcome).length;
      const counted = value("reconcile", `${name}{function="reconcile",outcome="${outcome}"}`);
      assert.equal(counted ?? 0, told, outcome);
    }
    assert.ok((value("reconcile", `${name}{function="reconcile",outcome="settled"}`) ?? 0) > 0);
    assert.equal(value("reconcile", `${name}{function="reconcile",outcome="malformed"}`), 1);
    assert.equal(value("resync", `${name}{function="resync",outcome="swept"}`), 1);
  });

  it("tell how old events are when they arrive, but for those of the future", () => {
    const name = "sampledb_event_age_seconds";
    assert.equal(value("reconcile", `${name}_count{function="retire"}`), 1);
    assert.equal(value("reconcile", `${name}_bucket{le="10",function="retire"}`), 0);
    assert.equal(value("reconcile", `${name}_bucket{le="3600",function="retire"}`), 1);
    const arrived = lines.filter(({ path }) => path === "/").length;
    assert.equal(value("reconcile", `${name}_count{function="reconcile"}`), arrived);
  });

  it("count calls to the API server by method, resource and code, and time them", () => {
    const name = "sampledb_api_calls_total";
    const read = (code: number) =>
      value("reconcile", `${name}{function="reconcile",method="GET",resource="sampledbs",code="${code}"}`);
    assert.ok((read(404) ?? 0) >= 1);
    assert.ok((read(200) ?? 0) >= 2);
    assert.ok((value("source", WATCH) ?? 0) >= 1);
    assert.ok(
      (value("reconcile", `sampledb_api_call_duration_seconds_count{function="reconcile",method="GET"}`) ??
        0) > 2,
    );
  });

  it("count writes, and what is sent", () => {
    assert.ok(
      (value("reconcile", `sampledb_writes_total{function="provision",action="merge",kind="SampleDB"}`) ??
        0) > 0,
    );
    for (const fn of ["source", "resync"])
      assert.ok((value(fn, `sampledb_sent_events_total{function="${fn}",outcome="delivered"}`) ?? 0) >= 1);
    assert.equal(value("source", "sampledb_waiting_keys"), 0);
    assert.equal(value("resync", `sampledb_resync_keys_total{outcome="sent"}`), 1);
    assert.ok((value("resync", "sampledb_resync_last_complete_timestamp_seconds") ?? 0) > 1e9);
  });

  it("count what was given up", () => {
    const name = "sampledb_undelivered_events_total";
    assert.equal(value("undelivered", `${name}{destination="unknown",code="503"}`), 1);
  });

  it("name no key: there may be thousands", () => {
    for (const text of Object.values(pages)) assert.doesNotMatch(text, /orders|shop|gone/u);
  });

  it("are those that functions/README.md tells of", () => {
    const readme = readFileSync(resolve(import.meta.dirname, "../../functions/README.md"), "utf8");
    const told = [...readme.matchAll(/^\| `(sampledb_\w+)/gmu)].map(([, name = ""]) => name);
    const texts = [...Object.values(pages), makeAdmissionMetrics().text()];
    const exist = texts.flatMap((text) =>
      [...text.matchAll(/^# TYPE (sampledb_\w+)/gmu)].map(([, name = ""]) => name),
    );
    assert.deepEqual(new Set(told), new Set(exist));
  });
});
