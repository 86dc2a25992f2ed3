import { describe } from "node:test";
import { versionOffered } from "../../../../functions/shared/api/rules/version-offered.ts";
import { versionUnchanged } from "../../../../functions/shared/api/rules/version-unchanged.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const of = (version: string) => makeSampleDB({ spec: { version } });
const catalog = { default: "17", latest: "17", images: { "16": "postgres:16.9", "17": "postgres:17.5" } };

describe("versionOffered", () => {
  ruleTable(versionOffered, [
    { title: "allows a version of the catalog", sampledb: of("16"), catalog, want: [] },
    { title: "allows an absent version", sampledb: makeSampleDB(), catalog, want: [] },
    {
      title: "refuses a known version that the catalog does not offer and names those it does",
      sampledb: of("18"),
      catalog,
      want: [
        'spec.version: "18": the catalog offers no PostgreSQL 18: choose one of 16, 17, or name an image in spec.image',
      ],
    },
    {
      title: "allows a version outside the catalog with an image of one's own",
      sampledb: makeSampleDB({ spec: { version: "18", image: "postgres:18.1" } }),
      catalog,
      want: [],
    },
    {
      title: "judges the version of the data where none is set",
      sampledb: makeSampleDB({ status: { version: "15" } }),
      catalog,
      want: [/the catalog offers no PostgreSQL 15/u],
    },
  ]);
});

describe("versionUnchanged", () => {
  ruleTable(versionUnchanged, [
    { title: "allows any version at creation", sampledb: of("16"), want: [] },
    { title: "allows the same version", sampledb: of("16"), before: of("16"), want: [] },
    {
      title: "refuses a later version: upgrades are to come",
      sampledb: of("17"),
      before: of("16"),
      want: [/a major upgrade of PostgreSQL 16 is not available yet; keep "16"/u],
    },
    {
      title: "refuses an earlier version",
      sampledb: of("16"),
      before: of("17"),
      want: [/cannot be lowered/u],
    },
    {
      title: "refuses to forget the version",
      sampledb: makeSampleDB(),
      before: of("17"),
      want: [/cannot be removed: keep "17"/u],
    },
    {
      title: "allows to pin the version of the data",
      sampledb: of("16"),
      before: makeSampleDB({ status: { version: "16" } }),
      want: [],
    },
    {
      title: "refuses to pin another version than that of the data",
      sampledb: of("17"),
      before: makeSampleDB({ status: { version: "16" } }),
      want: [/keep "16"/u],
    },
    {
      title: "allows a version that was never pinned to stay open",
      sampledb: makeSampleDB(),
      before: makeSampleDB({ status: { version: "16" } }),
      want: [],
    },
  ]);
});
