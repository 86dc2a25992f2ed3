import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ceOverrides } from "../../../functions/shared/serve/ce-overrides.ts";

const of = (value: unknown): Readonly<Record<string, string>> =>
  ceOverrides({ K_CE_OVERRIDES: JSON.stringify(value) });

describe("ceOverrides", () => {
  it("gives a header for each extension, its name in small letters as Knative's own sources write it", () => {
    assert.deepEqual(of({ extensions: { team: "storage", Stage: "1" } }), {
      "ce-team": "storage",
      "ce-stage": "1",
    });
  });

  it("has nothing to say where Knative has not: not set, empty, without extensions", () => {
    assert.deepEqual(ceOverrides({}), {});
    assert.deepEqual(ceOverrides({ K_CE_OVERRIDES: "" }), {});
    for (const value of [{}, { extensions: {} }, { extensions: null }, { later: 1 }])
      assert.deepEqual(of(value), {});
  });

  it("writes values as CloudEvents' HTTP binding does, so that none of them is a second header", () => {
    const value = 'a\r\nx-b: "ü" 50%😀~!\ud800';
    assert.deepEqual(of({ extensions: { e: value } }), {
      "ce-e": "a%0D%0Ax-b:%20%22%C3%BC%22%2050%25%F0%9F%98%80~!%EF%BF%BD",
    });
  });

  for (const [text, why] of [
    ["{", "it must be JSON of the form"],
    ["[]", "it must be JSON of the form"],
    ["null", "it must be JSON of the form"],
    ['"extensions"', "it must be JSON of the form"],
    ['{"extensions":"team"}', "it must be JSON of the form"],
    ['{"extensions":[]}', "it must be JSON of the form"],
    ['{"extensions":{"team":1}}', 'the value of "team" must be a text'],
    ['{"extensions":{"a b":"1"}}', '"a b" must be letters and digits'],
    ['{"extensions":{"":"1"}}', '"" must be letters and digits'],
    ['{"extensions":{"name":"users"}}', '"name" says what the event is'],
    ['{"extensions":{"ID":"1"}}', '"ID" says what the event is'],
  ] as const)
    it(`refuses ${text}, and says which variable has which value and why`, () => {
      assert.throws(
        () => ceOverrides({ K_CE_OVERRIDES: text }),
        ({ message }: Error) => message.startsWith(`K_CE_OVERRIDES is ${JSON.stringify(text)}: ${why}`),
      );
    });
});
