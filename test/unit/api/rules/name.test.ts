import { describe } from "node:test";
import { name } from "../../../../functions/shared/api/rules/name.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const named = (text: string) => makeSampleDB({ metadata: { name: text } });
const generated = (prefix: string) => ({
  apiVersion: "sampledb.dev/v1" as const,
  kind: "SampleDB" as const,
  metadata: { generateName: prefix },
});

describe("name", () => {
  ruleTable(name, [
    { title: "allows a DNS label", sampledb: named("orders-2"), want: [] },
    { title: "allows one letter", sampledb: named("o"), want: [] },
    { title: "allows 40 characters", sampledb: named("o".repeat(40)), want: [] },
    {
      title: "refuses 41 characters and says how many there are",
      sampledb: named("o".repeat(41)),
      want: [/at most 40 characters long, it has 41/u],
    },
    { title: "refuses a digit at the beginning", sampledb: named("2orders"), want: [/begin with a letter/u] },
    { title: "refuses a hyphen at the end", sampledb: named("orders-"), want: [/not end with -/u] },
    { title: "refuses capitals", sampledb: named("Orders"), want: [/a-z, 0-9/u] },
    {
      title: "refuses a dot, which Services cannot have",
      sampledb: named("orders.eu"),
      want: [/a Service is named after it/u],
    },
    {
      title: "refuses the name of another SampleDB's headless Service",
      sampledb: named("orders-headless"),
      want: [/SampleDB orders would own/u],
    },
    {
      title: "refuses the name of another SampleDB's superuser Secret",
      sampledb: named("orders-superuser"),
      want: [/SampleDB orders would own/u],
    },
    {
      title: "allows a name that only contains such a suffix",
      sampledb: named("orders-headless-2"),
      want: [],
    },
    { title: "allows a generated name that will fit", sampledb: generated(`${"o".repeat(34)}-`), want: [] },
    {
      title: "refuses a generated name that will be too long",
      sampledb: generated(`${"o".repeat(35)}-`),
      want: [/^metadata\.generateName: .* with 5 characters appended, must be at most 40/u],
    },
    {
      title: "refuses an object without any name",
      sampledb: { ...generated(""), metadata: {} },
      want: ["metadata.name: is required"],
    },
  ]);
});
