import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releaseFrom } from "../../../functions/shared/api/release.ts";
import { selects } from "../../support/kustomize/ingress.ts";

const release = (text: string) => {
  const read = releaseFrom({ NAMESPACE_SELECTOR: text });
  assert.ok(read !== undefined);
  return read;
};

const NAMESPACES = [
  {},
  { "sampledb.dev/release": "blue" },
  { "sampledb.dev/release": "bluer" },
  { "sampledb.dev/release": "" },
  { "kubernetes.io/metadata.name": "shop", "sampledb.dev/release": "green" },
];

describe("NAMESPACE_SELECTOR", () => {
  it("is every namespace where it is not set", () => {
    assert.equal(releaseFrom({}), undefined);
  });

  it("names the release whose namespaces carry its name", () => {
    const { suffix, selector, labelSelector, serves } = release("sampledb.dev/release=blue");
    assert.equal(suffix, "-blue");
    assert.equal(selector, "sampledb.dev/release=blue");
    assert.deepEqual(labelSelector, { matchLabels: { "sampledb.dev/release": "blue" } });
    assert.deepEqual(NAMESPACES.map(serves), [false, true, false, false, false]);
  });

  it("or leaves every namespace that names a release, even none, to others", () => {
    const { suffix, selector, labelSelector, serves } = release("!sampledb.dev/release");
    assert.equal(suffix, "");
    assert.equal(selector, "!sampledb.dev/release");
    assert.deepEqual(labelSelector, {
      matchExpressions: [{ key: "sampledb.dev/release", operator: "DoesNotExist" }],
    });
    assert.deepEqual(NAMESPACES.map(serves), [true, false, false, false, false]);
  });

  it("says the same to functions as to the API server", () => {
    for (const text of ["sampledb.dev/release=blue", "sampledb.dev/release=green", "!sampledb.dev/release"]) {
      const { labelSelector, serves } = release(text);
      for (const labels of NAMESPACES) assert.equal(serves(labels), selects(labelSelector, labels), text);
    }
  });

  it("gives no namespace to two releases", () => {
    const all = ["sampledb.dev/release=blue", "sampledb.dev/release=green", "!sampledb.dev/release"].map(
      release,
    );
    for (const labels of NAMESPACES) assert.ok(all.filter(({ serves }) => serves(labels)).length <= 1);
  });

  for (const text of [
    "",
    " ",
    "blue",
    "sampledb.dev/release",
    "sampledb.dev/release=",
    "sampledb.dev/release=Blue",
    "sampledb.dev/release=-blue",
    "sampledb.dev/release=blue-",
    "sampledb.dev/release==blue",
    "sampledb.dev/release=blue,team=shop",
    "sampledb.dev/release = blue",
    `sampledb.dev/release=${"a".repeat(31)}`,
    "team=shop",
    "! sampledb.dev/release",
  ]) {
    it(`refuses ${JSON.stringify(text)}, and says what would be right`, () => {
      assert.throws(
        () => releaseFrom({ NAMESPACE_SELECTOR: text }),
        (cause) => {
          assert.ok(cause instanceof Error);
          assert.ok(cause.message.startsWith(`NAMESPACE_SELECTOR is ${JSON.stringify(text)}: it must be `));
          assert.match(
            cause.message,
            /sampledb\.dev\/release=NAME.*!sampledb\.dev\/release.*unset for every/su,
          );
          return true;
        },
      );
    });
  }

  it("takes names up to 30 characters", () => {
    assert.equal(release(`sampledb.dev/release=${"a".repeat(30)}`).suffix.length, 31);
    assert.equal(release("sampledb.dev/release=1").suffix, "-1");
  });
});
