import { describe } from "node:test";
import { requestWithinLimit } from "../../../../functions/shared/api/rules/request-within-limit.ts";
import { resourceAmounts } from "../../../../functions/shared/api/rules/resource-amounts.ts";
import type { Quantity, Resources } from "../../../../functions/shared/api/sampledb.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const of = (resources: Resources) => makeSampleDB({ spec: { resources } });
const limit = (name: string, amount: Quantity) => of({ limits: { [name]: amount } });

describe("resourceAmounts", () => {
  ruleTable(resourceAmounts, [
    { title: "allows no resources", sampledb: makeSampleDB(), want: [] },
    {
      title: "allows text and whole numbers",
      sampledb: of({
        requests: { cpu: 1 },
        limits: { cpu: "1500m", memory: "128Mi", "ephemeral-storage": "1Gi" },
      }),
      want: [],
    },
    { title: "allows a small request for memory", sampledb: of({ requests: { memory: "64Mi" } }), want: [] },
    {
      title: "refuses an unknown name and guesses",
      sampledb: limit("memroy", "1Gi"),
      want: [/did you mean memory\?/u],
    },
    {
      title: "refuses an unknown name without a guess",
      sampledb: limit("nvidia.com/gpu", 1),
      want: [/only cpu, memory, ephemeral-storage can be set$/u],
    },
    { title: "refuses too little memory", sampledb: limit("memory", "127Mi"), want: [/at least 128Mi/u] },
    {
      title: "refuses an amount that is none",
      sampledb: limit("cpu", "two"),
      want: ['spec.resources.limits.cpu: "two": must be a quantity such as 500m or 2'],
    },
    { title: "refuses 0", sampledb: limit("cpu", 0), want: [/above 0/u] },
    {
      title: "refuses a negative amount",
      sampledb: of({ requests: { memory: "-1Gi" } }),
      want: [/above 0/u],
    },
    {
      title: "refuses what 64 bits cannot hold",
      sampledb: limit("cpu", "1e400"),
      want: [
        'spec.resources.limits.cpu: "1e400": must be below 8Ei, which is more than Kubernetes can count; such as 500m or 2',
      ],
    },
    {
      title: "refuses billionths of a byte",
      sampledb: of({ requests: { memory: "5n" } }),
      want: [/in fractions of a byte, for that is what n means/u],
    },
    { title: "allows billionths of a core", sampledb: of({ requests: { cpu: "5000000n" } }), want: [] },
    {
      title: "guesses Mi of m for memory",
      sampledb: of({ requests: { memory: "512m" } }),
      want: [/did you mean 512Mi\?/u],
    },
  ]);
});

describe("requestWithinLimit", () => {
  ruleTable(requestWithinLimit, [
    {
      title: "allows equal amounts in different words",
      sampledb: of({ requests: { memory: "1Gi", cpu: 1 }, limits: { memory: "1024Mi", cpu: "1000m" } }),
      want: [],
    },
    {
      title: "allows a request alone: its limit follows",
      sampledb: of({ requests: { memory: "64Gi" } }),
      want: [],
    },
    {
      title: "refuses a request above its limit",
      sampledb: of({ requests: { cpu: 3 }, limits: { cpu: 2 } }),
      want: [/must not exceed spec\.resources\.limits\.cpu, which is 2/u],
    },
    {
      title: "leaves an unreadable amount to resourceAmounts",
      sampledb: of({ requests: { cpu: "x" }, limits: { cpu: 2 } }),
      want: [],
    },
  ]);
});
