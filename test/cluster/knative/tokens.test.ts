import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { accountKubeconfig } from "../../support/account-kubeconfig.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { containerOf, knativeServices, valuesOf } from "../../support/knative/knative-objects.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import { until } from "../../support/until.ts";

const SYSTEM = "sampledb-system";
const AUDIENCE = "sampledb-functions";
/** As Knative names them. */
const OBJECTS = "sampledb-objects-oidc-sources.knative.dev-apiserversource";
const RESYNC = "sampledb-resync-oidc-sources.knative.dev-pingsource";
const EVENT = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };

describe("the component oidc on a real API server", () => {
  let cluster: LocalCluster;
  let folder = "";
  const running: Record<string, FunctionProcess> = {};
  const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl(args);

  /** A function with the environment that its Knative Service has, on any free port. */
  const start = async (name: string, text: string): Promise<FunctionProcess> => {
    const service = knativeServices(objectsIn(text)).find(({ metadata }) => metadata.name === name);
    assert.ok(service !== undefined);
    const { OIDC_AUDIENCE = "", OIDC_SUBJECTS = "", SINK = "" } = valuesOf(containerOf(service));
    const file = join(folder, name);
    await writeFile(file, await accountKubeconfig(cluster.kubectl, name, SYSTEM));
    return startFunction(name, { KUBECONFIG: file, OIDC_AUDIENCE, OIDC_SUBJECTS, SINK });
  };
  const tokens = new Map<string, string>();
  const tokenOf = async (account: string, audience: string): Promise<string> => {
    const known = tokens.get(`${account} ${audience}`);
    if (known !== undefined) return known;
    const token = await kubectl("create", "token", account, "-n", SYSTEM, `--audience=${audience}`);
    tokens.set(`${account} ${audience}`, token.trim());
    return token.trim();
  };
  /** Posts an event that names no SampleDB. */
  const post = async (name: string, account: string, audience = AUDIENCE): Promise<number> => {
    const headers = { ...EVENT, authorization: `Bearer ${await tokenOf(account, audience)}` };
    const url = await running[name]?.url();
    assert.ok(url !== undefined);
    return (await fetch(url, { method: "POST", headers })).status;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sampledb-oidc-"));
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(cluster.kubectl);
    const text = await renderComponents(cluster.kubectl, "overlays/knative", ["oidc"]);
    await kubectl("create", "namespace", SYSTEM);
    // What the overlay and Knative make: a real one has these accounts where its feature is on.
    for (const account of ["reconcile", "resync", "certify", OBJECTS, RESYNC])
      await kubectl("create", "serviceaccount", account, "-n", SYSTEM);
    for (const name of ["reconcile", "resync"]) running[name] = await start(name, text);
  });
  after(async () => {
    for (const process of Object.values(running)) await process[Symbol.asyncDispose]();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it("lets in each of Knative's sources where its events go, and nowhere else", async () => {
    // A busy API server's keys may not be there in time: 503 says to send again.
    await until("the keys", async () => (await post("reconcile", OBJECTS)) !== 503, 60_000);
    assert.equal(await post("reconcile", OBJECTS), 204);
    assert.equal(await post("reconcile", "resync"), 204);
    await until("the keys", async () => (await post("resync", OBJECTS)) !== 503, 60_000);
    assert.equal(await post("resync", OBJECTS), 401);
    assert.equal(await post("reconcile", RESYNC), 401);
    // A tick. It may read nothing here, which the next one will not change.
    assert.equal(await post("resync", RESYNC), 204);
  });

  it("lets in no other account of the namespace, and no token that is for something else", async () => {
    assert.equal(await post("reconcile", "certify"), 401);
    assert.equal(await post("reconcile", "default"), 401);
    assert.equal(await post("reconcile", OBJECTS, "vault"), 401);
  });
});
