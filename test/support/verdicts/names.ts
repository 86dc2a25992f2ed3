import { allowed, refused } from "./entry.ts";
import type { Entry } from "./entry.ts";

const named = (name: string) => ({ metadata: { name } });
const generated = (generateName: string) => ({ metadata: { generateName } });

/** metadata.name, and the names of database and owner. */
export const names: readonly Entry[] = [
  allowed("name", "allows one letter", {}, named("o")),
  allowed("name", "allows 40 characters", {}, named("o".repeat(40))),
  allowed("name", "allows digits and hyphens inside", {}, named("a-2-b--3")),
  allowed("name", "allows a name that only contains a child's suffix", {}, named("orders-headless-2")),
  allowed("name", "allows the suffix of a Job, of which no SampleDB has another", {}, named("orders-init")),
  allowed("name", "allows a generated name that fits", {}, generated(`${"o".repeat(34)}-`)),
  refused("name", "refuses 41 characters", {}, named("o".repeat(41))),
  refused("name", "refuses a digit first", {}, named("2orders")),
  refused("name", "refuses a hyphen first", {}, named("-orders")),
  refused("name", "refuses a hyphen last", {}, named("orders-")),
  refused("name", "refuses capitals", {}, named("Orders")),
  refused("name", "refuses a dot", {}, named("orders.eu")),
  refused("name", "refuses an underscore", {}, named("my_orders")),
  refused("name", "refuses letters of other alphabets", {}, named("bestellungen-ä")),
  refused("name", "refuses the name of a headless Service", {}, named("orders-headless")),
  refused("name", "refuses the name of a superuser's Secret", {}, named("orders-superuser")),
  refused("name", "refuses a generated name that gets too long", {}, generated(`${"o".repeat(35)}-`)),
  refused("name", "refuses a generated name that begins with a digit", {}, generated("2-")),
  refused("name", "refuses no name at all", {}, { metadata: {} }),

  allowed("databaseNames", "allows letters, digits and _", { database: { name: "web_shop2", owner: "_a" } }),
  allowed("databaseNames", "allows 63 characters", { database: { name: "d".repeat(63) } }),
  allowed("databaseNames", "allows an owner called like a database of PostgreSQL", {
    database: { owner: "template1" },
  }),
  ...["web-shop", "WebShop", "2shop", "shop db", "shöp", 'a"; DROP TABLE b; --', "a\n"].map((name) =>
    refused("databaseNames", `refuses the database name ${JSON.stringify(name)}`, { database: { name } }),
  ),
  ...["postgres", "template0", "template1", "pg_shop"].map((name) =>
    refused("databaseNames", `refuses the database name ${name}`, { database: { name } }),
  ),
  ...["postgres", "public", "none", "sampledb", "pg_monitor", "O'Hara"].map((owner) =>
    refused("databaseNames", `refuses the owner ${owner}`, { database: { owner } }),
  ),
  refused("shape", "refuses a database name of 64 characters", { database: { name: "d".repeat(64) } }),
  refused("shape", "refuses an empty owner", { database: { owner: "" } }),

  allowed(
    "databaseUnchanged",
    "allows the default to be written out",
    { database: { name: "app" } },
    { from: {} },
  ),
  allowed(
    "databaseUnchanged",
    "allows a default to be left out again",
    { database: {} },
    { from: { database: { name: "app", owner: "app" } } },
  ),
  refused(
    "databaseUnchanged",
    "refuses another database",
    { database: { name: "b" } },
    { from: { database: { name: "a" } } },
  ),
  refused(
    "databaseUnchanged",
    "refuses another owner",
    { database: { owner: "b" } },
    { from: { database: { owner: "a" } } },
  ),
  refused("databaseUnchanged", "refuses to leave the default", { database: { name: "b" } }, { from: {} }),
  refused("databaseUnchanged", "refuses to forget the name", {}, { from: { database: { name: "a" } } }),
];
