import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { applyPatch, Pointer } from "rfc6902";
import { mutate } from "../../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG as catalog } from "../../../functions/shared/api/catalog.ts";
import { readStructure } from "../../../functions/shared/api/structure.ts";
import { violationsOf } from "../../../functions/shared/api/violations-of.ts";
import { withDefaults } from "../../../functions/shared/api/with-defaults.ts";
import type { AdmissionRequest, Addition } from "../../../functions/shared/serve/admission-review.ts";
import { validate } from "../../../functions/validate/validate.ts";
import { makeAdmissionRequest } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { arbitrarySpec } from "../../support/verdicts/arbitrary.ts";

type Sent = Readonly<Record<string, unknown>>;

const texts = fc.dictionary(
  fc.oneof(fc.constantFrom("example.com/a", "a~b", "~1", "~0/", "__proto__", "constructor", ""), fc.string()),
  fc.string(),
  { maxKeys: 4, noNullPrototype: true },
);
const maybeNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });
const metadata = fc.record(
  {
    name: fc.constant("orders"),
    namespace: fc.constant("shop"),
    labels: maybeNull(texts),
    annotations: maybeNull(texts),
    finalizers: maybeNull(fc.subarray(["example.com/a", "sampledb.dev/retire", "example.com/~b"])),
    managedFields: fc.constant([{ manager: "kubectl", fieldsV1: { "f:spec": { ".": {} } } }]),
  },
  { requiredKeys: ["name"] },
);

/** What clients send: parents that are absent, null or empty, keys that JSON Pointers escape, strange values. */
const sent: fc.Arbitrary<Sent> = fc.record(
  {
    apiVersion: fc.constant("sampledb.dev/v1"),
    kind: fc.constant("SampleDB"),
    metadata,
    spec: maybeNull(arbitrarySpec),
  },
  { requiredKeys: ["apiVersion", "kind", "metadata"] },
);

const request = (object: Sent, oldObject?: Sent): AdmissionRequest => ({
  ...makeAdmissionRequest(makeSampleDB()),
  operation: oldObject === undefined ? "CREATE" : "UPDATE",
  object,
  oldObject,
});

/** The patch of a review that is allowed. */
const patchOf = (object: Sent, oldObject?: Sent): readonly Addition[] | undefined => {
  const verdict = mutate.review(request(object, oldObject), catalog);
  return verdict.allowed ? (verdict.patch ?? []) : undefined;
};

/** Applies a patch as the API server does, but by a library of its own. */
const apply = (object: Sent, patch: readonly Addition[]): Sent => {
  const document = structuredClone(object);
  assert.deepEqual(
    applyPatch(document, [...patch]).filter((result) => result !== null),
    [],
  );
  return document;
};

const withoutNulls = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutNulls)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== null)
            .map(([name, member]) => [name, withoutNulls(member)]),
        )
      : value;

/** Runs `holds` with objects that mutate allows, and their patches. */
const forAllowed = (holds: (object: Sent, patch: readonly Addition[]) => void): void => {
  let allowed = 0;
  fc.assert(
    fc.property(sent, (object) => {
      const patch = patchOf(object);
      if (patch === undefined) return;
      allowed += 1;
      holds(object, patch);
    }),
    { numRuns: 500 },
  );
  assert.ok(allowed > 50, `only ${allowed} objects were allowed`);
};

describe("the patches of mutate", () => {
  it("make the object with its defaults, whoever applies them", () => {
    forAllowed((object, patch) => {
      const wanted = withDefaults(readStructure(object).sampledb, undefined, catalog);
      assert.deepEqual(withoutNulls(apply(object, patch)), withoutNulls(wanted));
    });
  });

  it("add what is missing and nothing else, each under a parent that is there", () => {
    forAllowed((object, patch) => {
      for (const { op, path } of patch) {
        assert.equal(op, "add");
        const { parent, key, value } = Pointer.fromJSON(path).evaluate(object);
        assert.ok(typeof parent === "object" && parent !== null, path);
        assert.ok(key === "-" ? Array.isArray(parent) : value === undefined || value === null, path);
      }
    });
  });

  it("say nothing twice", () => {
    forAllowed((object, patch) => {
      const whole = apply(object, patch);
      for (const left of patch)
        assert.notDeepEqual(
          apply(
            object,
            patch.filter((each) => each !== left),
          ),
          whole,
        );
    });
  });

  it("are empty for what they made, when they are asked again", () => {
    forAllowed((object, patch) => {
      const whole = apply(object, patch);
      assert.deepEqual(patchOf(whole), []);
      assert.deepEqual(patchOf(whole, whole), []);
    });
  });

  it("fill in, on a second call, only what a webhook in between took away", () => {
    forAllowed((object, patch) => {
      const { spec, ...rest } = apply(object, patch);
      const { paused: _taken, resources: _too, ...left } = Object(spec);
      const again = patchOf({ ...rest, spec: left });
      assert.deepEqual(
        again?.map(({ path }) => path),
        ["/spec/resources"],
      );
    });
  });

  it("leave a valid object valid, for both functions, as a new one and on an update that changes nothing", () => {
    forAllowed((object, patch) => {
      const whole = apply(object, patch);
      assert.deepEqual(violationsOf({ object: whole, catalog }), []);
      for (const before of [undefined, whole])
        assert.ok(validate.review(request(whole, before), catalog).allowed);
    });
  });

  it("are none for an object that breaks a rule: it is denied", () => {
    fc.assert(
      fc.property(sent, (object) => {
        const isBroken = violationsOf({ object, catalog }).length > 0;
        assert.equal(patchOf(object) === undefined, isBroken);
      }),
    );
  });
});
