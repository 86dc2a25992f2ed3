import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { Sampler } from "@opentelemetry/sdk-trace";

const rootOf = (name: string, ratio: number): Sampler => {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};

/** The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name, by OpenTelemetry's names; `parentbased_always_on` otherwise. */
export const traceSampler = (env: NodeJS.ProcessEnv): Sampler => {
  const { OTEL_TRACES_SAMPLER: name = "parentbased_always_on", OTEL_TRACES_SAMPLER_ARG: argument = "1" } =
    env;
  const ratio = Number(argument);
  const root = rootOf(name.replace(/^parentbased_/u, ""), Number.isFinite(ratio) ? ratio : 1);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
};
