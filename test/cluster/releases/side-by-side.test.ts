import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AuditEvent } from "../../support/audit-log.ts";
import { World, soon } from "./world.ts";

const asText = ({ verb, requestURI }: AuditEvent): string => `${verb} ${requestURI.split("?")[0] ?? ""}`;

const event = (namespace: string): RequestInit => ({
  method: "POST",
  headers: {
    "ce-specversion": "1.0",
    "ce-id": "forged",
    "ce-type": "dev.sampledb.source.changed",
    "ce-source": "/test",
    "ce-kind": "SampleDB",
    "ce-namespace": namespace,
    "ce-name": "orders",
  },
});

describe("two releases in one cluster", () => {
  let world: World;

  before(async () => {
    world = await World.start();
    for (const namespace of ["shop", "bank"]) await world.kubectl("create", "namespace", namespace);
    for (const namespace of ["blue-shop", "blue-bank"]) {
      await world.kubectl("create", "namespace", namespace);
      await world.kubectl("label", "namespace", namespace, "sampledb.dev/release=blue");
    }
  });
  after(() => world.stop());

  it("each admit and reconcile the SampleDBs of their own namespaces, and no other", async () => {
    const { first, blue } = world;
    const namespaces = ["shop", "bank", "blue-shop", "blue-bank"];
    await Promise.all(namespaces.map((namespace) => world.make(namespace, "orders")));
    assert.deepEqual(await world.writtenBy(first), ["bank", "shop"]);
    assert.deepEqual(await world.writtenBy(blue), ["blue-bank", "blue-shop"]);
    for (const namespace of ["shop", "bank"]) assert.equal(await world.version(namespace, "orders"), "17");
    for (const namespace of ["blue-shop", "blue-bank"])
      assert.equal(await world.version(namespace, "orders"), "16");
  });

  it("do not even read what an event of the other's names", async () => {
    for (const [release, namespace] of [
      [world.first, "blue-shop"],
      [world.blue, "shop"],
    ] as const) {
      const from = await world.position();
      const { status } = await fetch(await release.reconcileUrl(), event(namespace));
      assert.equal(status, 204);
      const about = (await world.askedBy(release, from)).filter(({ requestURI }) =>
        requestURI.includes(namespace),
      );
      assert.deepEqual(about.map(asText), [`get /api/v1/namespaces/${namespace}`]);
    }
  });

  it("sweep their own", async () => {
    assert.deepEqual(await Promise.all([world.first.sweep(), world.blue.sweep()]), [2, 2]);
  });

  it("protect their own, each by a policy of its own", async () => {
    const spec = { version: "17", deletion: { protection: true } };
    for (const [namespace, policy] of [
      ["shop", "sampledb-deletion-protection"],
      ["blue-shop", "sampledb-deletion-protection-blue"],
    ] as const) {
      await world.make(namespace, "ledger", spec);
      const refusal = new RegExp(
        `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied`,
        "u",
      );
      await assert.rejects(world.kubectl("delete", "sdb", "ledger", "-n", namespace), refusal);
    }
  });

  it("make the same pods: nothing of a release gets into a template", async () => {
    const path = ["-o", "jsonpath={.spec.template}"];
    const templates = ["shop", "blue-shop"].map((namespace) =>
      world.kubectl("get", "statefulset", "ledger-1", "-n", namespace, ...path),
    );
    const [ours = "", theirs] = await Promise.all(templates);
    assert.match(ours, /postgres/u);
    assert.equal(ours, theirs);
  });

  it("hold up nothing of the other's while they are being installed", async () => {
    await world.blue.apply();
    // Nothing may be left of a try that comes before the policy is in force.
    await soon("blue's install policy", () =>
      assert
        .rejects(
          world.create("blue-shop", "early", {}, "--dry-run=server"),
          /still being installed.*sampledb-install-blue/su,
        )
        .then(() => true),
    );
    await world.make("shop", "meanwhile");
    await world.blue.certify();
    await world.make("blue-shop", "early");
  });

  it("hand a namespace over by its label: no moment has both admit, and no database restarts", async () => {
    const { first, blue } = world;
    const set = [
      "get",
      "statefulset",
      "orders-1",
      "-n",
      "bank",
      "-o",
      "jsonpath={.metadata.uid} {.metadata.generation}",
    ];
    const earlier = await world.kubectl(...set);
    await world.kubectl("label", "namespace", "bank", "sampledb.dev/release=blue");
    // The moment from which each process and each API server knows of it.
    await soon("blue's admission", async () => {
      const asked = ["create", "--dry-run=server", "-o", "jsonpath={.spec.version}", "-f", "-"];
      const object = {
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { name: "try", namespace: "bank" },
      };
      return (await world.cluster.kubectl(asked, JSON.stringify(object))) === "16" || undefined;
    });
    await soon("blue's first pass", async () => {
      const reads = (await world.askedBy(blue)).map(asText);
      return reads.includes("get /apis/sampledb.dev/v1/namespaces/bank/sampledbs/orders") || undefined;
    });
    // As long as a yes counts.
    await soon("the first to stop", async () => {
      const from = await world.position();
      await fetch(await first.reconcileUrl(), event("bank"));
      const asked = (await world.askedBy(first, from)).map(asText);
      return !asked.some((each) => each.includes("/namespaces/bank/")) || undefined;
    });
    const from = await world.position();
    await world.make("bank", "users");
    await world.untilRepaired("bank", "orders");
    assert.equal(await world.version("bank", "users"), "16");
    assert.deepEqual(await world.writtenBy(first, from), []);
    assert.ok((await world.writtenBy(blue, from)).includes("bank"));
    assert.equal(await world.kubectl(...set), earlier);
    assert.equal(await world.first.sweep(), 3);
  });

  it("ask for nothing that they may not, and use each right to read namespaces", async () => {
    for (const release of [world.first, world.blue]) {
      const asked = await world.askedBy(release);
      const refused = asked.filter(({ responseStatus }) => responseStatus?.code === 403);
      assert.deepEqual(refused.map(asText), []);
      const used = asked
        .filter(({ objectRef }) => objectRef?.resource === "namespaces")
        .map(({ user, verb }) => `${user.username.slice(release.users.length)} ${verb}`);
      assert.deepEqual([...new Set(used)].toSorted(), [
        "reconcile get",
        "resync list",
        "source list",
        "source watch",
      ]);
    }
  });

  it("go alone: what the other needs stays, and what one had can be taken over", async () => {
    const { first, blue } = world;
    await blue.uninstall();
    await soon("blue's webhooks to go", async () => {
      const kinds = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
      const left = await world.kubectl("get", kinds, "-o", "jsonpath={.items[*].metadata.name}");
      return left === "sampledb sampledb" || undefined;
    });
    const cluster =
      "clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings";
    const label = "app.kubernetes.io/part-of=sampledb";
    const left = (await world.kubectl("get", cluster, "-l", label, "-o", "name")).trim().split("\n");
    assert.deepEqual(
      left.filter((name) => name.includes("blue")),
      [],
    );
    await world.make("shop", "afterwards");
    assert.equal(await world.version("shop", "afterwards"), "17");
    const refusal = /protected from deletion/u;
    await assert.rejects(world.kubectl("delete", "sdb", "ledger", "-n", "shop"), refusal);
    const from = await world.position();
    await world.kubectl("label", "namespace", "blue-shop", "sampledb.dev/release-");
    await world.untilRepaired("blue-shop", "orders");
    assert.ok((await world.writtenBy(first, from)).includes("blue-shop"));
    assert.equal(await world.version("blue-shop", "orders"), "16");
  });
});
