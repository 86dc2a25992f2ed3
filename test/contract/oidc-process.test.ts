import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { httpSink } from "../../functions/shared/serve/sink.ts";
import { sinkToken } from "../../functions/shared/serve/sink-token.ts";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer } from "../support/fake-api-server.ts";
import { fakeIssuer, SENDER } from "../support/fake-issuer.ts";
import { startFunction } from "../support/function-process.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { makeTlsFolder } from "../support/tls-folder.ts";

const EVENT = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };
const RECEIVER = { OIDC_AUDIENCE: "sampledb-functions", OIDC_SUBJECTS: SENDER };

describe("events that prove who sends them", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "sampledb-oidc-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("come from resync to reconcile by a token of the API server's, which nobody else gets and nobody logs", async () => {
    const issuer = await fakeIssuer("https://kubernetes.default.svc");
    await using api = await fakeApiServer(({ path }): FakeAnswer => {
      const { discovery, keys } = issuer.documents("https://192.0.2.1/openid/v1/jwks");
      if (path.startsWith("/.well-known/")) return { body: discovery };
      return path.startsWith("/openid/") ? { body: keys } : failure(404, "NotFound", { name: "orders" });
    });
    using kubeconfig = kubeconfigFor(api.url);
    const env = { KUBECONFIG: kubeconfig.file };
    await using reconcile = startFunction("reconcile", { ...env, ...RECEIVER });
    const SINK = await reconcile.url();
    await using without = startFunction("resync", { ...env, SINK, CONCURRENCY: "1" }, [
      "once",
      "shop/orders",
    ]);
    assert.equal(await without.ended, 1, without.stderr());
    assert.equal(without.logs[0]?.["status"], 401);

    const token = await issuer.token();
    const file = join(folder, "resync-token");
    writeFileSync(file, `${token}\n`);
    const sender = { ...env, SINK, SINK_TOKEN_FILE: file };
    await using resync = startFunction("resync", sender, ["once", "shop/orders"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    const delivered = resync.logs.find(({ message }) => message === "delivered");
    const handled = reconcile.logs.find(({ message }) => message === "event");
    assert.equal(handled?.["key"], "shop/orders");
    assert.equal(typeof delivered?.["id"], "string");
    assert.equal(handled["id"], delivered?.["id"]);

    assert.ok(api.requests.length > 0);
    for (const { headers } of api.requests) assert.equal(headers.authorization, "Bearer t");
    const written = [...without.logs, ...resync.logs, ...reconcile.logs].map((line) => JSON.stringify(line));
    const texts = [...written, resync.stderr(), reconcile.stderr()].join("\n");
    for (const part of token.split(".")) assert.ok(!texts.includes(part));
  });

  it("are judged by another issuer's discovery too, over TLS with a CA of one's own, and answered 503 while it is away", async () => {
    const tls = await makeTlsFolder();
    await tls.renew();
    const options = { cert: readFileSync(tls.files.certFile), key: readFileSync(tls.files.keyFile) };
    const server = createServer(options).listen(0);
    await once(server, "listening");
    const address = server.address();
    const url = `https://localhost:${typeof address === "object" ? address?.port : ""}/realms/shop`;
    const issuer = await fakeIssuer(url);
    let isAway = true;
    server.on("request", ({ url: path }, response) => {
      const { discovery, keys } = issuer.documents(`${url}/keys`);
      const found = path === "/realms/shop/keys" ? keys : discovery;
      response.writeHead(isAway ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(found));
    });
    const ca = join(folder, "ca.crt");
    writeFileSync(ca, tls.ca);
    await using api = await fakeApiServer(() => failure(404, "NotFound"));
    using kubeconfig = kubeconfigFor(api.url);
    const env = { KUBECONFIG: kubeconfig.file, ...RECEIVER, OIDC_ISSUER: url, NODE_EXTRA_CA_CERTS: ca };
    await using reconcile = startFunction("reconcile", env);
    const at = await reconcile.url();
    const post = async (authorization: string): Promise<number> =>
      (await fetch(at, { method: "POST", headers: { ...EVENT, authorization } })).status;
    const good = `Bearer ${await issuer.token()}`;
    assert.equal(await post(good), 503);
    isAway = false;
    assert.equal(await post(good), 204, JSON.stringify(reconcile.logs));
    assert.equal(await post(`Bearer ${await issuer.token({ aud: "vault" })}`), 401);
    // The API server is not asked about tokens of others.
    assert.deepEqual(api.requests, []);
    server.close();
    server.closeAllConnections();
    tls.remove();
  });

  it("carry the token that is in the file now, and are delivered later where there is none", async () => {
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    const file = join(folder, "token");
    const { deliver, close } = httpSink(
      new URL(sink.url),
      "source.changed",
      1,
      sinkToken({ SINK_TOKEN_FILE: file }),
    );
    const key = { namespace: "shop", name: "orders" };
    assert.equal(await deliver(key), "again");
    assert.equal(sink.requests.length, 0);
    for (const token of ["first", "second", "third"]) {
      // As the kubelet does it: complete, then swapped in.
      writeFileSync(`${file}.new`, token);
      renameSync(`${file}.new`, file);
      assert.equal(await deliver(key), "delivered");
      assert.equal(sink.requests.at(-1)?.headers.authorization, `Bearer ${token}`);
    }
    close();
  });

  it("are sent without a token where none is asked for", async () => {
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    const { deliver, close } = httpSink(new URL(sink.url), "source.changed", 1, sinkToken({}));
    assert.equal(await deliver({ namespace: "shop", name: "orders" }), "delivered");
    assert.equal(sink.requests[0]?.headers.authorization, undefined);
    close();
  });
});
