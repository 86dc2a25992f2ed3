import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import { BUILT_IN_CATALOG as catalog } from "../../functions/shared/api/catalog.ts";
import { readStructure } from "../../functions/shared/api/structure.ts";
import { violationsOf } from "../../functions/shared/api/violations-of.ts";
import { withDefaults } from "../../functions/shared/api/with-defaults.ts";
import { useApiLevel } from "../support/api-level.ts";
import { plainApi } from "../support/plain-api.ts";
import type { PlainApi } from "../support/plain-api.ts";
import type { Entry } from "../support/verdicts/entry.ts";
import { VERDICTS } from "../support/verdicts/index.ts";
import { arbitraryName, arbitrarySpec } from "../support/verdicts/arbitrary.ts";
import { compare, judgeAlone } from "./verdicts-scene.ts";
import type { Said, Sent } from "./verdicts-scene.ts";

/** The same objects in every run; another SEED and more TIMES look further. */
const seed = Number(process.env["SEED"] ?? 5);
const times = Number(process.env["TIMES"] ?? 1);

const sent = (name: string, spec: object): Sent => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: "shop" },
  spec,
});

const isAllowed = (object: Sent): boolean => violationsOf({ object, catalog }).length === 0;

const opposite = (verdict: Entry["verdict"]): Entry["verdict"] =>
  verdict === "allowed" ? "refused" : "allowed";

describe("the CRD alone", () => {
  const level = useApiLevel();
  let api: PlainApi;
  const said = new Map<Entry, Said>();
  before(async () => {
    api = await plainApi(level().cluster.kubeconfig, 1);
    for (const entry of VERDICTS) said.set(entry, await judgeAlone(api, entry));
  });
  after(() => api.close());

  for (const entry of VERDICTS) {
    const { rule, title, verdict, differs } = entry;
    const because = differs === undefined ? "" : `, which the CRD sees otherwise: ${differs}`;
    it(`${rule} ${title}${because}`, () => {
      const answer = said.get(entry);
      const expected = differs === undefined ? verdict : opposite(verdict);
      assert.equal(answer?.verdict, expected, answer?.text);
    });
  }

  it("refuses random objects exactly where the rules do", async () => {
    const objects = fc.sample(fc.tuple(arbitraryName, arbitrarySpec), { seed, numRuns: 400 * times });
    const [allowed, refused] = await compare(
      api,
      objects.map(([name, spec]) => [sent(name, spec)]),
    );
    assert.ok(allowed > 100 && refused > 100, `${allowed} allowed, ${refused} refused`);
  });

  it("refuses random changes exactly where the rules do", async () => {
    const right = arbitrarySpec.filter((spec) => isAllowed(sent("orders", spec)));
    // Some fields stay, others are taken from another spec.
    const change = fc
      .tuple(right, arbitrarySpec, fc.subarray(["version", "image", "storage", "database", "resources"]))
      .map(([from, other, kept]) => {
        const stays = Object.entries(from).filter(([field]) => kept.some((each) => each === field));
        return [sent("orders", { ...other, ...Object.fromEntries(stays) }), sent("orders", from)] as const;
      });
    const [allowed, refused] = await compare(api, fc.sample(change, { seed, numRuns: 200 * times }));
    assert.ok(allowed > 30 && refused > 30, `${allowed} allowed, ${refused} refused`);
  });

  it("allows what mutate makes of an object that the rules allow", async () => {
    const objects = fc
      .sample(arbitrarySpec, { seed, numRuns: 100 * times })
      .map((spec) => sent("orders", spec))
      .filter(isAllowed);
    assert.ok(objects.length > 20, `${objects.length}`);
    for (const object of objects) {
      const { metadata, spec } = withDefaults(readStructure(object).sampledb, undefined, catalog);
      const { verdict, text } = await judgeAlone(api, { object: { ...object, metadata, spec } });
      assert.equal(verdict, "allowed", text);
    }
  });
});
