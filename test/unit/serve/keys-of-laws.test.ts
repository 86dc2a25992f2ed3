import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { keysOf } from "../../../functions/shared/api/keys-of.ts";
import type { Hint } from "../../../functions/shared/api/keys-of.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";

/** What is, or looks much like, a name. */
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("orders", "shop", "orders-1-1", "orders-superuser", "a.b") },
  { weight: 1, arbitrary: fc.stringMatching(/^[-a-z0-9.]{0,70}$/u) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.constantFrom("../x", "a/b", "a%2fb", "a?b", "a\n", "", "A", "-", "..") },
);
const anything = fc.oneof(
  { weight: 8, arbitrary: name },
  { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withTypedArray: true }) },
);
const kind = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("SampleDB", "Secret", "Pod", "PersistentVolume", "Node") },
  { weight: 1, arbitrary: anything },
);

const fields = (more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ kind, namespace: anything, name: anything, ...more }, { requiredKeys: [] });
const labels = fc.dictionary(
  fc.constantFrom("sampledb.dev/database", "sampledb.dev/namespace", "__proto__"),
  anything,
);
const data = fc.oneof(
  fields({ metadata: fc.oneof(fields({ labels: fc.oneof(labels, anything) }), anything) }),
  anything,
);
const hints: fc.Arbitrary<Hint> = fc.record({ kind, namespace: anything, name: anything, data });

const NAMESPACE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;
const NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/u;

describe("keysOf, whatever a stranger sends", () => {
  it("gives names that stay one segment of a path, few of them and each once", () => {
    let found = 0;
    fc.assert(
      fc.property(hints, (hint) => {
        const keys = keysOf(hint);
        found += keys.length;
        assert.ok(keys.length <= 3);
        assert.equal(new Set(keys.map((key) => `${key.namespace}/${key.name}`)).size, keys.length);
        for (const key of keys) {
          assert.match(key.namespace, NAMESPACE);
          assert.match(key.name, NAME);
          assert.ok(key.namespace.length <= 63 && key.name.length <= 253);
          // Nothing to be encoded, nothing that a URL would resolve away.
          const path = pathOf("SampleDB", key);
          assert.equal(path, `/apis/sampledb.dev/v1/namespaces/${key.namespace}/sampledbs/${key.name}`);
          assert.equal(new URL(path, "http://a").pathname, path);
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(found > 500, `the law was tried on ${found} keys`);
  });
});
