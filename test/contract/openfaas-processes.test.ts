import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import { httpsCall } from "../support/https-call.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { cronTick } from "../support/openfaas/cron-connector.ts";
import { stackFunctions } from "../support/openfaas/stack.ts";
import { makeTlsFolder } from "../support/tls-folder.ts";
import { until } from "../support/until.ts";
import { headersFor } from "./events/call.ts";
import { send } from "./events/send.ts";
import { startOpenFaas } from "./openfaas-scene.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const ORDERS = headersFor("orders");
const BY_US = { ...ORDERS, authorization: `Bearer ${SECRET}` };
const gone = (): FakeAnswer => failure(404, "NotFound", { name: "orders", kind: "sampledbs" });

/** What Kubernetes sets in pods beside Services of these names. */
const links = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => name.toUpperCase().replaceAll("-", "_"))
      .flatMap((name) => [
        [`${name}_SERVICE_HOST`, "10.96.0.10"],
        [`${name}_SERVICE_PORT`, "443"],
        [`${name}_SERVICE_PORT_HTTPS`, "443"],
        [`${name}_PORT`, "tcp://10.96.0.10:443"],
        [`${name}_PORT_443_TCP`, "tcp://10.96.0.10:443"],
        [`${name}_PORT_443_TCP_PORT`, "443"],
      ]),
  );

describe("functions as OpenFaaS runs them", () => {
  let folder = "";
  let secretFile = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "sampledb-openfaas-"));
    secretFile = join(folder, "sampledb-caller");
    writeFileSync(secretFile, `${SECRET}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A function with the environment that the stack gives it, on any free port and with the secret of this test. */
  const started = (
    name: string,
    file: "stack.yaml" | "stack-cron-connector.yaml",
    more: Record<string, string>,
  ) => {
    const environment = { ...stackFunctions(file)[`sampledb-${name}`]?.environment };
    for (const variable of ["CALLER_SECRET_FILE", "SINK_TOKEN_FILE"])
      if (variable in environment) environment[variable] = secretFile;
    return startFunction(name, { ...environment, PORT: "0", ...more });
  };
  const reconcileOn = (api: FakeApiServer) => {
    const kubeconfig = kubeconfigFor(api.url);
    const process = started("reconcile", "stack.yaml", { KUBECONFIG: kubeconfig.file });
    return {
      process,
      env: { KUBECONFIG: kubeconfig.file },
      [Symbol.asyncDispose]: async () => {
        await process[Symbol.asyncDispose]();
        kubeconfig[Symbol.dispose]();
      },
    };
  };

  it("reconcile works on after SIGTERM: what is in flight, and what still comes", async () => {
    const held = Promise.withResolvers<void>();
    await using api = await fakeApiServer(async () => {
      await held.promise;
      return gone();
    });
    await using reconcile = reconcileOn(api);
    const { process } = reconcile;
    await using openFaas = await startOpenFaas({ reconcile: { upstream: () => process.url() } });
    const first = send(openFaas.at("reconcile"), { headers: BY_US });
    await until("the first pass", () => api.requests.length === 1);
    process.kill("SIGTERM");
    await until("the signal", () => process.logs.some(({ message }) => message === "SIGTERM is ignored"));
    const second = send(openFaas.at("reconcile"), { headers: { ...BY_US, "ce-name": "billing" } });
    await until("the second pass", () => api.requests.length === 2);
    held.resolve();
    assert.deepEqual([(await first).status, (await second).status], [204, 204]);
    process.kill("SIGTERM");
    assert.equal((await send(openFaas.at("reconcile"), { headers: BY_US })).status, 204);
  });

  it("admission listens before there is a certificate, takes one that comes, and judges on after SIGTERM", async () => {
    const tls = await makeTlsFolder();
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = tls.files;
    await using admission = started("admission", "stack.yaml", { TLS_CERT_FILE, TLS_KEY_FILE });
    const { port } = new URL(await admission.url());
    await tls.renew();
    await until("the certificate", () =>
      admission.logs.some(({ message }) => message === "certificate loaded"),
    );
    const judged = async (): Promise<string> => {
      const body = JSON.stringify(makeReview(makeSampleDB()));
      return (await httpsCall(`https://localhost:${port}/mutate`, { ca: tls.ca, body })).text;
    };
    assert.match(await judged(), /"allowed":true/u);
    admission.kill("SIGTERM");
    await until("the signal", () => admission.logs.some(({ message }) => message === "SIGTERM is ignored"));
    assert.match(await judged(), /"allowed":true/u);
    tls.remove();
  });

  it("know two answers to SIGTERM, and end at the start at a third", async () => {
    await using reconcile = startFunction("mutate", { ON_SIGTERM: "wait" });
    assert.notEqual(await reconcile.ended, 0);
    assert.match(reconcile.stderr(), /ON_SIGTERM is "wait": it must be drain or ignore\./u);
  });

  it("reconcile looks at nothing for whoever does not send the secret, though the gateway lets everybody in", async () => {
    await using api = await fakeApiServer(gone);
    await using reconcile = reconcileOn(api);
    const { process } = reconcile;
    await using openFaas = await startOpenFaas({ reconcile: { upstream: () => process.url() } });
    for (const path of ["/", "/provision"])
      for (const headers of [
        ORDERS,
        { ...ORDERS, authorization: `Bearer ${SECRET}0` },
        { ...ORDERS, authorization: `Basic ${SECRET}` },
        cronTick().headers,
      ]) {
        const { status, type } = await send(openFaas.at("reconcile", path), { headers });
        assert.deepEqual([status, type.split(";")[0]], [401, "text/plain"]);
      }
    assert.deepEqual(api.requests, []);
    assert.equal((await send(openFaas.at("reconcile"), { headers: BY_US })).status, 204);
    assert.ok(api.requests.length > 0);
    assert.ok(!JSON.stringify(process.logs).includes(SECRET));
  });

  it("cron-connector's tick has resync visit every SampleDB, through the gateway and with the secret", async () => {
    const items = ["orders", "billing"].map((name) => ({ metadata: { namespace: "shop", name } }));
    await using api = await fakeApiServer(({ path }) => {
      if (path.includes("/sampledbs/")) return gone();
      return { body: { metadata: {}, items: path.endsWith("/sampledbs") ? items : [] } };
    });
    await using running = reconcileOn(api);
    const { process: reconcile, env } = running;
    const resyncUrl = Promise.withResolvers<string>();
    await using openFaas = await startOpenFaas({
      "sampledb-reconcile": { upstream: () => reconcile.url() },
      "sampledb-resync": { upstream: () => resyncUrl.promise },
    });
    const { SINK = "" } = stackFunctions("stack-cron-connector.yaml")["sampledb-resync"]?.environment ?? {};
    await using resync = started("resync", "stack-cron-connector.yaml", {
      ...env,
      SINK: new URL(new URL(SINK).pathname, openFaas.gateway.url).href,
    });
    resyncUrl.resolve(await resync.url());
    const { status, type } = await send(openFaas.at("sampledb-resync.openfaas-fn"), cronTick());
    assert.deepEqual([status, type.split(";")[0]], [204, "text/plain"]);
    const visited = await until("both passes", () => {
      const keys = reconcile.logs.filter(({ message }) => message === "event").map(({ key }) => String(key));
      return keys.length === 2 && keys;
    });
    assert.deepEqual(visited.toSorted(), ["shop/billing", "shop/orders"]);
    const calls = openFaas.gateway.calls.filter(({ name }) => name === "sampledb-reconcile");
    assert.deepEqual(
      calls.map((call) => call.status),
      [204, 204],
    );
  });

  for (const [name, args] of [
    ["source", []],
    ["resync", []],
    ["resync", ["once"]],
  ] as const)
    it(`${[name, ...args].join(" ")} ends at the start where it should send to the queue, and sends nothing`, async () => {
      await using api = await fakeApiServer(() => ({
        body: { metadata: { resourceVersion: "1" }, items: [] },
      }));
      using kubeconfig = kubeconfigFor(api.url);
      await using openFaas = await startOpenFaas({});
      const SINK = `${openFaas.gateway.url}/async-function/sampledb-reconcile`;
      await using process = startFunction(name, { KUBECONFIG: kubeconfig.file, SINK }, args);
      assert.notEqual(await process.ended, 0);
      const said = process.stderr() + JSON.stringify(process.logs);
      assert.match(said, /OpenFaaS' queue, which loses events\. Name the function itself/u);
      assert.deepEqual([api.requests, openFaas.gateway.queued], [[], []]);
    });

  it("start beside Services of any name", async () => {
    await using api = await fakeApiServer(() => ({
      body: { metadata: { resourceVersion: "1" }, items: [] },
    }));
    using kubeconfig = kubeconfigFor(api.url);
    const env = {
      KUBECONFIG: kubeconfig.file,
      SINK: api.url,
      POD_NAMESPACE: "openfaas-fn",
      ...links(
        "admission",
        "reconcile",
        "source",
        "resync",
        "certify",
        "sink",
        "sampledb-reconcile",
        "sampledb-webhook",
      ),
    };
    const start = async (name: string): Promise<void> => {
      await using process = startFunction(name, env);
      await process.url();
    };
    await Promise.all(["admission", "reconcile", "source", "resync", "certify"].map(start));
  });
});
