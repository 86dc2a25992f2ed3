import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import { mutate } from "../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { AdmissionFunction } from "../../functions/shared/serve/admission-review.ts";
import { validate } from "../../functions/validate/validate.ts";
import { useApiLevel } from "../support/api-level.ts";
import { COMPLETE, deviations, withValue } from "../support/complete-sampledb.ts";
import type { Sent } from "../support/complete-sampledb.ts";
import { plainApi } from "../support/plain-api.ts";
import type { PlainApi } from "../support/plain-api.ts";
import { arbitraryName, arbitrarySpec } from "../support/verdicts/arbitrary.ts";
import { startAskedWebhooks } from "./asked-webhooks.ts";
import type { AskedWebhooks } from "./asked-webhooks.ts";

const COLLECTION = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs";

/** The same objects in every run; another SEED and more TIMES look further. */
const seed = Number(process.env["SEED"] ?? 7);
const times = Number(process.env["TIMES"] ?? 1);

/** A catalog that offers nothing: what is right by it is right by any. */
const NO_CATALOG = { ...BUILT_IN_CATALOG, images: {} };

/** What a function would have said or done of a creation; empty where it was rightly left out. */
const missed = (fn: AdmissionFunction, object: Sent, catalog: typeof BUILT_IN_CATALOG): string => {
  const { metadata } = object;
  const name = String(Object(metadata).name ?? "");
  const request = { uid: "1", operation: "CREATE", subResource: "", namespace: "shop", name } as const;
  const verdict = fn.review({ ...request, object, oldObject: undefined }, catalog);
  if (!verdict.allowed) return JSON.stringify(verdict.violations);
  const said = [...(verdict.patch ?? []), ...(verdict.warnings ?? [])];
  return said.length === 0 ? "" : JSON.stringify(said);
};

/** A complete SampleDB of which up to two fields, or the whole spec, are something else. */
const nearlyComplete = fc
  .tuple(
    arbitraryName,
    arbitrarySpec,
    fc.subarray(["version", "image", "storage", "database", "resources", "init", "deletion", "paused"], {
      maxLength: 2,
    }),
  )
  .map(([name, spec, fields]): Sent => {
    const others = Object.entries(spec).filter(([field]) => fields.some((each) => each === field));
    const changed = { ...Object(COMPLETE["spec"]), ...Object.fromEntries(others) };
    return withValue(withValue(COMPLETE, "metadata.name", name), "spec", changed);
  });

describe("the webhooks' match conditions", () => {
  const level = useApiLevel();
  let api: PlainApi;
  let webhooks: AskedWebhooks;
  before(async () => {
    api = await plainApi(level().cluster.kubeconfig, 1);
    webhooks = await startAskedWebhooks(level().cluster);
  });
  after(async () => {
    api.close();
    await webhooks[Symbol.asyncDispose]();
  });

  /** Who is asked of a call that may be refused, though only for what the object is. */
  const askedOf = async (call: Promise<unknown>): Promise<string> => {
    let refusal = "";
    try {
      await call;
    } catch (cause) {
      refusal = String(cause);
      if (!/: (?:422|400) /u.test(refusal)) throw cause;
    }
    assert.doesNotMatch(refusal, /webhook|matchCondition|expression/u);
    return webhooks.taken().join(" ");
  };
  const creating = (object: Sent): Promise<string> =>
    askedOf(api.call("POST", `${COLLECTION}?dryRun=All`, object));

  it("leave both out where a creation says everything, its image too", async () => {
    assert.equal(await creating(COMPLETE), "");
  });

  it("leave mutate out where it says everything but an image, which only the catalog knows", async () => {
    assert.equal(await creating(withValue(COMPLETE, "spec.image", undefined)), "validate");
  });

  for (const { title, object, isRight } of deviations()) {
    it(`ask where ${title}`, async () => {
      const asked = await creating(object);
      // What the schema refuses does not come as far as validate.
      assert.ok(isRight ? asked === "mutate validate" : asked.startsWith("mutate"), `asked: ${asked}`);
    });
  }

  it("leave out of random creations only those of which the function has nothing to say", async () => {
    const objects = fc.sample(nearlyComplete, { seed, numRuns: 300 * times });
    const wrong: string[] = [];
    const counts = { mutate: 0, validate: 0 };
    for (const object of objects) {
      const asked = await creating(object);
      if (!asked.includes("mutate")) {
        counts.mutate += 1;
        wrong.push(missed(mutate, object, BUILT_IN_CATALOG));
      }
      if (asked === "") {
        counts.validate += 1;
        wrong.push(missed(validate, object, NO_CATALOG), missed(mutate, object, NO_CATALOG));
      }
    }
    assert.deepEqual(
      wrong.filter((each) => each !== ""),
      [],
    );
    for (const count of Object.values(counts))
      assert.ok(count > 20 && count < objects.length - 100, JSON.stringify(counts));
  });

  it("ask of an update where its spec changes, and leave out metadata, status and deletion", async () => {
    const path = `${COLLECTION}/changing`;
    await api.call("POST", COLLECTION, withValue(COMPLETE, "metadata.name", "changing"));
    const merge = (body: object, suffix = ""): Promise<string> =>
      askedOf(api.call("PATCH", path + suffix, body));
    assert.equal(await merge({ metadata: { labels: { team: "sales" } } }), "");
    assert.equal(await merge({ status: { version: "17" } }, "/status"), "");
    assert.equal(await merge({ spec: { paused: true } }), "mutate validate");
    assert.equal(await merge({ metadata: { finalizers: [] } }), "mutate");
    assert.equal(await merge({ metadata: { finalizers: ["sampledb.dev/retire"] } }), "");
    assert.equal(await askedOf(api.call("DELETE", path)), "");
    assert.equal(await merge({ metadata: { finalizers: [] } }), "");
  });
});
