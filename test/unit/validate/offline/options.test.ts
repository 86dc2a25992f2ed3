import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOptions, usage } from "../../../../functions/validate/offline/options.ts";

const STANDARD = {
  paths: ["a.yaml"],
  output: "text",
  catalog: undefined,
  isStrict: false,
  mayBeNone: false,
  isPrinted: false,
};

describe("the options of sampledb-validate", () => {
  const cases = [
    { args: ["a.yaml"], options: STANDARD },
    { args: ["-"], options: { ...STANDARD, paths: ["-"] } },
    { args: ["--", "-a.yaml"], options: { ...STANDARD, paths: ["-a.yaml"] } },
    {
      args: ["a.yaml", "--strict", "--allow-none", "b", "--output=json", "--catalog", "c"],
      options: {
        ...STANDARD,
        paths: ["a.yaml", "b"],
        output: "json",
        catalog: "c",
        isStrict: true,
        mayBeNone: true,
      },
    },
    { args: ["--print", "a.yaml"], options: { ...STANDARD, isPrinted: true } },
  ];
  for (const { args, options } of cases) {
    it(`are read from ${args.join(" ")}`, () => {
      assert.deepEqual(readOptions(args), { do: "judge", options });
    });
  }

  const wrong = [
    { args: [], says: /no file is named/u },
    { args: ["--strct", "a"], says: /Unknown option '--strct'/u },
    { args: ["--output", "xml", "a"], says: /--output is xml: it must be one of text, json, github/u },
    { args: ["a", "--catalog"], says: /--catalog/u },
    { args: ["--print", "--output", "json", "a"], says: /exclude each other/u },
  ];
  for (const { args, says } of wrong) {
    it(`are refused: ${JSON.stringify(args)}`, () => {
      const asked = readOptions(args);
      assert.match(asked.do === "complain" ? asked.message : "", says);
    });
  }

  it("ask for help or the version before anything else", () => {
    assert.deepEqual(readOptions(["--help", "--output", "xml"]), { do: "help" });
    assert.deepEqual(readOptions(["-V"]), { do: "version" });
  });

  it("all stand in the usage", () => {
    for (const option of ["output", "print", "catalog", "strict", "allow-none", "help", "version"])
      assert.match(usage, new RegExp(` --${option}\\b`, "u"));
  });
});
