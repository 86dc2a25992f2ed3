import { allowed, refused } from "./entry.ts";
import type { Entry } from "./entry.ts";

const digest = `@sha256:${"0a".repeat(32)}`;
const running = (version: string) => ({ status: { version } });

/** spec.version and spec.image. */
export const versions: readonly Entry[] = [
  ...["16", "17", "18"].map((version) =>
    allowed("versionOffered", `allows PostgreSQL ${version}`, { version }),
  ),
  allowed("versionOffered", "allows no version", {}),
  refused(
    "versionOffered",
    "refuses a version that the catalog does not offer",
    { version: "15" },
    { differs: "catalog" },
  ),
  allowed("versionOffered", "allows a version of which the catalog has no image where one is named", {
    version: "15",
    image: "example.com/postgres:stable",
  }),
  ...["14", "19", "9", "17.5", "latest", "v17", " 17", ""].map((version) =>
    refused("shape", `refuses version ${JSON.stringify(version)}`, { version }),
  ),
  refused("shape", "refuses a version without quotes", { version: 17 }),

  allowed("versionUnchanged", "allows the same version", { version: "16" }, { from: { version: "16" } }),
  allowed("versionUnchanged", "allows to pin the version of the data", { version: "16" }, running("16")),
  allowed("versionUnchanged", "allows a version that is open to stay so", { paused: true }, running("16")),
  allowed(
    "versionUnchanged",
    "allows to pin any version while there is no data",
    { version: "18" },
    { from: {} },
  ),
  refused("versionUnchanged", "refuses a later version", { version: "17" }, { from: { version: "16" } }),
  refused("versionUnchanged", "refuses an earlier version", { version: "16" }, { from: { version: "17" } }),
  refused("versionUnchanged", "refuses to forget the version", {}, { from: { version: "17" } }),
  refused(
    "versionUnchanged",
    "refuses to pin a version above that of the data",
    { version: "17" },
    running("16"),
  ),
  refused(
    "versionUnchanged",
    "refuses to pin a version below that of the data",
    { version: "15" },
    running("16"),
  ),
  refused(
    "versionUnchanged",
    "refuses another version than the pinned one, whatever the data says",
    { version: "16" },
    { from: { version: "17" }, status: { version: "17" } },
  ),

  ...[
    "postgres:17.5",
    "postgres:17",
    "localhost/postgres:17.5",
    "localhost:5000/postgres:17.5",
    "registry.example.com:5000/a/b_c/d__e-f.g:17.5-bookworm",
    `registry.example.com/postgres${digest}`,
    `registry.example.com/postgres:latest${digest}`,
    `registry.example.com/postgres:17.5${digest}`,
    "EXAMPLE.com/postgres:17.5",
    "a--b/c:1",
  ].map((image) => allowed("imageReference", `allows the image ${image}`, { version: "17", image })),
  ...[
    "postgres",
    "postgres:latest",
    "postgres:",
    "example.com:5000/postgres",
    "Postgres:17",
    "postgres 17",
    " postgres:17",
    "postgres:17\n",
    "https://example.com/postgres:17",
    "postgres:17@sha256:beef",
    `postgres@sha256:${"0A".repeat(32)}`,
    "-postgres:17",
    ":17",
    "a..b:17",
    "a___b:17",
    "example-.com/postgres:17",
    "example.com//postgres:17",
    `postgres:${"1".repeat(129)}`,
    "postgrès:17",
  ].map((image) =>
    refused("imageReference", `refuses the image ${JSON.stringify(image)}`, { version: "17", image }),
  ),
  refused("shape", "refuses an empty image", { image: "" }),
  refused("shape", "refuses an image of 501 characters", { image: `postgres:${"1".repeat(492)}` }),

  ...[
    "postgres:stable",
    "postgres:171",
    "postgres:17-bookworm",
    "postgres:17beta1",
    "pgvector/pgvector:pg17",
    "pgvector/pgvector:0.8.0-pg17-trixie",
    "timescale/timescaledb:2.17.2-pg17",
    "example.com/extension:16.1-pg17",
    "example.com/app:postgres-17.5",
    "example.com/pg16:stable",
    "example.com/pg:2026-01",
    "example.com:16/postgres:stable",
    `postgres@sha256:${"16".repeat(32)}`,
  ].map((image) =>
    allowed("imageVersion", `takes ${image} for PostgreSQL 17, or for none`, { version: "17", image }),
  ),
  ...[
    "postgres:16.9",
    "postgres:16",
    `postgres:16.9${digest}`,
    "pgvector/pgvector:pg16",
    "pgvector/pgvector:0.8.0-pg18-trixie",
    "timescale/timescaledb:2.17.2-pg16",
    "example.com/extension:17.1-pg16",
    "example.com/app:17_postgresql-15.3",
  ].map((image) =>
    refused("imageVersion", `takes ${image} for another version than 17`, { version: "17", image }),
  ),
  allowed(
    "imageVersion",
    "allows another image of the same version",
    { version: "17", image: "postgres:17.6" },
    { from: { version: "17", image: "postgres:17.5" } },
  ),
  refused(
    "imageVersion",
    "refuses an image of another version on an update",
    { version: "17", image: "postgres:18.1" },
    { from: { version: "17", image: "postgres:17.5" } },
  ),
  refused(
    "imageVersion",
    "judges the catalog's default where no version is set",
    { image: "postgres:16.9" },
    { differs: "catalog" },
  ),
];
