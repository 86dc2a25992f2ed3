import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

import { podTemplate } from "../../../functions/provision/pod-template.ts";
import { subjectOf } from "../../../functions/provision/subject.ts";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const GOLDEN = path.join(import.meta.dirname, "../../fixtures/pod-template.json");
const running = { claim: "orders-1-1", version: "17", image: "example.com/postgres:17" };

const template = (overrides: Parameters<typeof makeSampleDB>[0] = {}): unknown =>
  JSON.parse(JSON.stringify(podTemplate(subjectOf(makeSampleDB(overrides), BUILT_IN_CATALOG), running)));

describe("the pod template", () => {
  it("is as in the last release: any difference restarts every database when the functions are upgraded", async () => {
    const golden: unknown = JSON.parse(await readFile(GOLDEN, "utf8"));
    assert.deepEqual(template(), golden);
  });

  it("does not depend on which SampleDB of the name it is, nor on its age, status or deletion policy", () => {
    assert.deepEqual(
      template({
        metadata: {
          uid: "uid-other",
          resourceVersion: "9",
          generation: 9,
          creationTimestamp: "2027-01-01T00:00:00Z",
        },
        spec: { deletion: { policy: "Wipe" }, init: [{ configMapKeyRef: { name: "sql", key: "a.sql" } }] },
        status: { version: "15" },
      }),
      template(),
    );
  });
});
