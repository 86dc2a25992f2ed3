import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { traceSampler } from "../../../functions/shared/serve/trace-sampler.ts";

describe("the sampler of traces", () => {
  const rows: readonly (readonly [
    name: string | undefined,
    argument: string | undefined,
    sampler: RegExp,
  ])[] = [
    [undefined, undefined, /^ParentBased\{root=AlwaysOnSampler,/u],
    ["always_on", undefined, /^AlwaysOnSampler$/u],
    ["always_off", undefined, /^AlwaysOffSampler$/u],
    ["traceidratio", "0.25", /^TraceIdRatioBased\{0\.25\}$/u],
    ["parentbased_traceidratio", "0.25", /^ParentBased\{root=TraceIdRatioBased\{0\.25\},/u],
    ["parentbased_always_off", undefined, /^ParentBased\{root=AlwaysOffSampler,/u],
    ["traceidratio", "much", /^TraceIdRatioBased\{1\}$/u],
  ];
  for (const [name, argument, sampler] of rows) {
    it(`is ${sampler.source} for ${name} ${argument ?? ""}`, () => {
      const env = {
        ...(name !== undefined && { OTEL_TRACES_SAMPLER: name }),
        ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }),
      };
      assert.match(traceSampler(env).toString(), sampler);
    });
  }
});
