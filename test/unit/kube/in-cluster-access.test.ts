import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inClusterAccess } from "../../../functions/shared/kube/in-cluster-access.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";

describe("inClusterAccess", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sampledb-access-"));
    await writeFile(join(folder, "ca.crt"), "the CA");
    await writeFile(join(folder, "token"), "first\n");
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  it("takes address, CA and token from where the kubelet puts them, and reads a rotated token", async () => {
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "6443" };
    const read = inClusterAccess({ ...env, SERVICE_ACCOUNT_DIR: folder });
    const { target, headers } = await read();
    assert.equal(target.base.href, "https://10.96.0.1:6443/");
    assert.deepEqual(target.tls, { ca: "the CA" });
    assert.deepEqual(headers, { authorization: "Bearer first" });
    await writeFile(join(folder, "token"), "second");
    assert.deepEqual((await read()).headers, { authorization: "Bearer second" });
  });
  it("writes an IPv6 address as a URL wants it", async () => {
    const read = inClusterAccess({ KUBERNETES_SERVICE_HOST: "fd00::1", SERVICE_ACCOUNT_DIR: folder });
    assert.equal((await read()).target.base.href, "https://[fd00::1]/");
  });
});

describe("readAccess", () => {
  it("says what to do where there is no Kubernetes", () => {
    assert.throws(() => readAccess({}), /set KUBECONFIG, or run in a pod/u);
  });
});
