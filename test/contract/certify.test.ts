import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startFunction } from "../support/function-process.ts";

/** A kubeconfig that leads to a port at which nobody listens. */
const NOBODY = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "nobody", cluster: { server: "http://127.0.0.1:9" } }],
  users: [{ name: "nobody", user: {} }],
  contexts: [{ name: "nobody", context: { cluster: "nobody", user: "nobody" } }],
  "current-context": "nobody",
};

describe("certify over HTTP", () => {
  let folder: string;
  const env = (): Readonly<Record<string, string>> => ({
    KUBECONFIG: join(folder, "kubeconfig"),
    POD_NAMESPACE: "shop",
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sampledb-certify-"));
    await writeFile(join(folder, "kubeconfig"), JSON.stringify(NOBODY));
  });
  after(() => rm(folder, { recursive: true }));

  it("is alive and ready, takes POST only, and ends in order", async () => {
    await using certify = startFunction("certify", env());
    const url = await certify.url();
    for (const path of ["/healthz", "/readyz"]) assert.equal((await fetch(url + path)).status, 200);
    assert.equal((await fetch(url)).status, 405);
    certify.kill("SIGTERM");
    assert.equal(await certify.ended, 0);
  });

  it("asks to be called again where the API server cannot be used, without a body", async () => {
    await using certify = startFunction("certify", env());
    const answer = await fetch(await certify.url(), { method: "POST" });
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "");
  });

  it("ends a run as a process with 1 where the API server cannot be used, and says so", async () => {
    await using certify = startFunction("certify", env(), ["once"]);
    assert.equal(await certify.ended, 1);
    const said = certify.logs.map(({ level, message }) => `${String(level)} ${String(message)}`);
    assert.match(said.join("\n"), /^error GET .*secrets\/sampledb-.*ECONNREFUSED/u);
  });

  it("names the setting that is missing", async () => {
    await using certify = startFunction("certify", { KUBECONFIG: join(folder, "kubeconfig") }, ["once"]);
    assert.equal(await certify.ended, 1);
    assert.match(JSON.stringify(certify.logs), /POD_NAMESPACE is not set/u);
  });
});
