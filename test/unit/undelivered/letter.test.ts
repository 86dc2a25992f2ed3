import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { letterOf } from "../../../functions/undelivered/letter.ts";

const to = (destination: unknown): string => letterOf({ knativeerrordest: destination }).to;
const code = (given: unknown): string => letterOf({ knativeerrorcode: given }).code;

describe("a dead letter", () => {
  it("was for the function whose Service the address names, whatever the namespace and the cluster's domain", () => {
    assert.equal(to("http://provision.sampledb-system.svc.cluster.local"), "provision");
    assert.equal(to("http://initialize.databases.svc.cluster.example/"), "initialize");
    assert.equal(to("https://report.databases.svc:8443"), "report");
    assert.equal(to("http://reconcile.databases.svc"), "reconcile");
  });

  it("was for one function of a group where the address has its path", () => {
    assert.equal(to("http://reconcile.databases.svc.cluster.local/retire"), "retire");
  });

  it("was for nobody known where the address is none of ours, or no address", () => {
    for (const given of [
      undefined,
      null,
      7,
      "",
      "provision",
      "http://",
      "http://shop.example.com/orders",
      "http://provisioner.databases.svc",
      "http://reconcile.databases.svc/provision/more",
      `http://${"a".repeat(70_000)}`,
      "http://constructor.databases.svc",
    ])
      assert.equal(to(given), "unknown", JSON.stringify(given ?? "nothing").slice(0, 80));
  });

  it("has the code of the last answer, as text or as a number", () => {
    assert.equal(code("503"), "503");
    assert.equal(code(400), "400");
  });

  it("has no code where none is said, or one that no failure has", () => {
    for (const given of [
      undefined,
      null,
      "",
      "-1",
      "200",
      "204",
      "302",
      "600",
      "5030",
      "5o3",
      " 503",
      "٥٠٣",
      {},
      [],
    ])
      assert.equal(code(given), "none", JSON.stringify(given));
  });
});
