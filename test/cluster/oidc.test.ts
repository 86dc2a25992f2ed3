import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { accountKubeconfig } from "../support/account-kubeconfig.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { installCrds } from "../support/deploy/install-crds.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { templateOf } from "../support/kustomize/manifest-files.ts";
import type { Manifest } from "../support/kustomize/manifest-files.ts";
import { rightsUsed } from "../support/kustomize/rights-used.ts";
import { objectsIn } from "../../deploy/shared/rendered.ts";
import { renderOwn } from "../support/kustomize/render.ts";
import { until } from "../support/until.ts";

const SYSTEM = "sampledb-system";
const EVENT = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };

/** The variables of a workload's container, references to POD_NAMESPACE resolved as the kubelet does. */
const envOf = (text: string, kind: string, name: string): Readonly<Record<string, string>> => {
  const found = objectsIn(text).find((each) => each.kind === kind && each.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  const manifest: Manifest = JSON.parse(JSON.stringify(found));
  const [container] = templateOf(manifest)?.spec.containers ?? [];
  return Object.fromEntries(
    (container?.env ?? []).map((each) => [
      each.name,
      (each.value ?? "").replaceAll("$(POD_NAMESPACE)", SYSTEM),
    ]),
  );
};

describe("the component event-identity on a real API server", () => {
  let cluster: LocalCluster;
  let folder = "";
  let text = "";
  let reconcile: FunctionProcess;

  const tokenOf = async (account: string, audience?: string): Promise<string> => {
    const options = ["-n", SYSTEM, ...(audience === undefined ? [] : [`--audience=${audience}`])];
    return (await cluster.kubectl(["create", "token", account, ...options])).trim();
  };
  const kubeconfigOf = async (account: string): Promise<string> => {
    const file = join(folder, account);
    await writeFile(file, await accountKubeconfig(cluster.kubectl, account, SYSTEM));
    return file;
  };
  const post = async (token: string): Promise<number> => {
    const headers = { ...EVENT, authorization: `Bearer ${token}` };
    return (await fetch(await reconcile.url(), { method: "POST", headers })).status;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sampledb-identity-"));
    cluster = await startCluster({ level: "api" });
    await installCrds(cluster.kubectl);
    text = await renderOwn(cluster.kubectl, { paths: ["overlays/kubernetes", "components/event-identity"] });
    await cluster.kubectl(["apply", "-f", "-"], text);
    const { OIDC_AUDIENCE = "", OIDC_SUBJECTS = "" } = envOf(text, "Deployment", "reconcile");
    const KUBECONFIG = await kubeconfigOf("reconcile");
    reconcile = startFunction("reconcile", { KUBECONFIG, OIDC_AUDIENCE, OIDC_SUBJECTS });
  });
  after(async () => {
    await reconcile[Symbol.asyncDispose]();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it("lets source and resync in by the tokens that their pods get", async () => {
    const first = await tokenOf("source", "sampledb-functions");
    // A busy API server's keys may not be there in time: 503 says to send again.
    await until("the keys", async () => (await post(first)) !== 503, 60_000);
    for (const account of ["source", "resync"])
      assert.equal(await post(await tokenOf(account, "sampledb-functions")), 204);
  });

  it("lets in no other account of its namespace, and none of those names of another", async () => {
    assert.equal(await post(await tokenOf("certify", "sampledb-functions")), 401);
    await cluster.kubectl(["create", "serviceaccount", "source", "-n", "default"]);
    const namesake = ["create", "token", "source", "-n", "default", "--audience=sampledb-functions"];
    assert.equal(await post((await cluster.kubectl(namesake)).trim()), 401);
  });

  it("lets in no token that was made for something else, the API server among them", async () => {
    assert.equal(await post(await tokenOf("source")), 401);
    assert.equal(await post(await tokenOf("source", "vault")), 401);
  });

  it("has source's events arrive", async () => {
    const token = join(folder, "token");
    await writeFile(token, await tokenOf("source", "sampledb-functions"));
    const env = { KUBECONFIG: await kubeconfigOf("source"), SINK: await reconcile.url() };
    await using source = startFunction("source", { ...env, SINK_TOKEN_FILE: token });
    await source.url();
    const orders = {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name: "orders" },
      spec: {},
    };
    await cluster.kubectl(["delete", "validatingadmissionpolicybinding", "sampledb-install"]);
    // The policy ends a moment after its binding.
    await until("a SampleDB", () =>
      cluster.kubectl(["apply", "-f", "-"], JSON.stringify(orders)).catch(() => undefined),
    );
    const line = await until("its event", () =>
      source.logs.find(({ message, key }) => message === "delivered" && key === "default/orders"),
    );
    assert.equal(line["status"], 204);
    // As the pod's volume has it.
    assert.equal(envOf(text, "Deployment", "source")["SINK_TOKEN_FILE"]?.endsWith("/token"), true);
  });

  it("needs no right beyond those that the functions have without it", async () => {
    for (const account of ["reconcile", "source"]) {
      const { used, forbidden } = await rightsUsed(cluster.auditLogFile, account);
      assert.notDeepEqual(used, []);
      assert.deepEqual(forbidden, []);
    }
  });
});
