import { describe } from "node:test";
import { imageReference } from "../../../../functions/shared/api/rules/image-reference.ts";
import { imageVersion } from "../../../../functions/shared/api/rules/image-version.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const digest = `@sha256:${"0a".repeat(32)}`;
const withImage = (image: string, version?: string) =>
  makeSampleDB({ spec: version === undefined ? { image } : { image, version } });

describe("imageReference", () => {
  ruleTable(imageReference, [
    { title: "allows no image", sampledb: makeSampleDB(), want: [] },
    ...[
      "postgres:17.5",
      "registry.example.com/postgres:17.5",
      "registry.example.com:5000/a/b_c/d__e-f.g:17.5-bookworm",
      "localhost:5000/postgres:17.5",
      `registry.example.com/postgres${digest}`,
      `registry.example.com/postgres:latest-17${digest}`,
      `registry.example.com/postgres:latest${digest}`,
    ].map((image) => ({ title: `allows ${image}`, sampledb: withImage(image), want: [] })),
    { title: "refuses no tag", sampledb: withImage("postgres"), want: [/must name a tag or a digest/u] },
    {
      title: "does not take a registry's port for a tag",
      sampledb: withImage("example.com:5000/postgres"),
      want: [/must name a tag or a digest/u],
    },
    {
      title: "refuses the tag latest",
      sampledb: withImage("postgres:latest"),
      want: [/a tag other than latest/u],
    },
    ...[
      "Postgres:17",
      "postgres 17",
      "https://example.com/postgres:17",
      "postgres:17@sha256:beef",
      "-postgres:17",
      ":17",
    ].map((image) => ({
      title: `refuses ${image}`,
      sampledb: withImage(image),
      want: [/must be an image reference/u],
    })),
  ]);
});

describe("imageVersion", () => {
  ruleTable(imageVersion, [
    { title: "allows a tag of the same major version", sampledb: withImage("postgres:17.5", "17"), want: [] },
    {
      title: "allows a tag that is the major version alone",
      sampledb: withImage("postgres:17", "17"),
      want: [],
    },
    { title: "allows a tag that names no version", sampledb: withImage("postgres:stable", "17"), want: [] },
    {
      title: "allows a digest without a tag, whose hex is no version",
      sampledb: withImage(`postgres${digest}`, "17"),
      want: [],
    },
    {
      title: "does not take a registry's port for a version",
      sampledb: withImage("example.com:5000/postgres:stable", "17"),
      want: [],
    },
    {
      title: "refuses another major version",
      sampledb: withImage("postgres:16.9-bookworm", "17"),
      want: [/the tag names PostgreSQL 16 and spec\.version is "17"/u],
    },
    {
      title: "refuses another major version beside a digest",
      sampledb: withImage(`postgres:16.9${digest}`, "17"),
      want: [/PostgreSQL 16/u],
    },
    // The start script looks at what is really in the image.
    ...["postgres:171", "example.com/timescaledb:2.17.2-pg17", "example.com/pg:2026-01", "pg:0.8.0-pg17"].map(
      (image) => ({
        title: `allows ${image}: its number is that of something else`,
        sampledb: withImage(image, "17"),
        want: [],
      }),
    ),
    {
      title: "believes what stands after pg rather than an extension's number before it",
      sampledb: withImage("example.com/extension:16.1-pg17", "17"),
      want: [],
    },
    ...["pgvector/pgvector:pg16", "timescale/timescaledb:2.17.2-pg16", "example.com/a:17-postgres-16.2"].map(
      (image) => ({
        title: `refuses ${image}`,
        sampledb: withImage(image, "17"),
        want: [/the tag names PostgreSQL 16/u],
      }),
    ),
    {
      title: "judges the default version where none is set",
      sampledb: withImage("postgres:16.9"),
      want: [/PostgreSQL 16/u],
    },
  ]);
});
