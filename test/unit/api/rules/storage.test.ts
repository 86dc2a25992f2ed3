import { describe } from "node:test";
import { storageClass } from "../../../../functions/shared/api/rules/storage-class.ts";
import { storageSize } from "../../../../functions/shared/api/rules/storage-size.ts";
import { storageKept } from "../../../../functions/shared/api/rules/storage-kept.ts";
import type { Quantity } from "../../../../functions/shared/api/sampledb.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const sized = (size: Quantity) => makeSampleDB({ spec: { storage: { size } } });
const classed = (storageClassName: string) => makeSampleDB({ spec: { storage: { storageClassName } } });
const nothing = makeSampleDB();

describe("storageSize", () => {
  ruleTable(storageSize, [
    { title: "allows no size", sampledb: nothing, want: [] },
    ...["256Mi", "10Gi", "1.5Ti", "1e10", "300M", 10_737_418_240].map((size) => ({
      title: `allows ${size}`,
      sampledb: sized(size),
      want: [],
    })),
    { title: "refuses less than PostgreSQL needs", sampledb: sized("255Mi"), want: [/at least 256Mi/u] },
    { title: "refuses 0", sampledb: sized("0"), want: [/above 0/u] },
    { title: "refuses a negative size", sampledb: sized("-1Gi"), want: [/above 0/u] },
    { title: "guesses 10Gi of 10GB", sampledb: sized("10GB"), want: [/did you mean 10Gi\?/u] },
    { title: "guesses 10Gi of 10 gb", sampledb: sized("10 gb"), want: [/did you mean 10Gi\?/u] },
    {
      title: "guesses 500Mi of 500m",
      sampledb: sized("500m"),
      want: [/thousandths of a byte.*did you mean 500Mi\?/u],
    },
    {
      title: "refuses words without a guess",
      sampledb: sized("big"),
      want: ['spec.storage.size: "big": must be a quantity such as 512Mi or 10Gi'],
    },
  ]);
});

describe("storageClass", () => {
  ruleTable(storageClass, [
    { title: "allows no class", sampledb: nothing, want: [] },
    { title: "allows dots and hyphens", sampledb: classed("csi.fast-ssd"), want: [] },
    {
      title: "refuses capitals and spaces",
      sampledb: classed("Fast SSD"),
      want: [/must be the name of a StorageClass/u],
    },
  ]);
});

describe("storageKept", () => {
  ruleTable(storageKept, [
    { title: "allows anything at creation", sampledb: sized("2Gi"), want: [] },
    {
      title: "allows the same bytes written another way",
      sampledb: sized("1024Mi"),
      before: sized("1Gi"),
      want: [],
    },
    { title: "allows the default to be written out", sampledb: sized("1Gi"), before: nothing, want: [] },
    {
      title: "allows it to grow",
      sampledb: sized("2Gi"),
      before: sized("1Gi"),
      want: [],
    },
    {
      title: "refuses to shrink",
      sampledb: sized("1Gi"),
      before: sized("2Gi"),
      want: [/a volume cannot shrink; keep 2Gi/u],
    },
    {
      title: "refuses less than the default that was in force",
      sampledb: sized("512Mi"),
      before: nothing,
      want: [/a volume cannot shrink; keep 1Gi/u],
    },
    {
      title: "leaves an unreadable size to storageSize",
      sampledb: sized("big"),
      before: sized("1Gi"),
      want: [],
    },
    {
      title: "refuses another class",
      sampledb: classed("fast"),
      before: classed("slow"),
      want: [/keep slow/u],
    },
    {
      title: "refuses a class where there was none",
      sampledb: classed("fast"),
      before: nothing,
      want: [/leave it out/u],
    },
  ]);
});
