import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";

const FUNCTIONS = resolve(import.meta.dirname, "../../../functions");

/** What Kubernetes sets in every pod for each Service of its namespace, whatever its name: `RECONCILE_PORT=tcp://10.96.0.10:80` and the like. */
const LINK = /.(?:_SERVICE_HOST|_SERVICE_PORT|_SERVICE_PORT_\w+|_PORT|_PORT_\d+_(?:TCP|UDP|SCTP)\w*)$/u;
/** Kubernetes' own Service has this name and no other can. */
const ITS_OWN = new Set(["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"]);

const sources = readdirSync(FUNCTIONS, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(FUNCTIONS, file), "utf8"));

/** Every text in capitals, whether it is the name of a setting or not, and `{ NAME: a, NAME: b = "" } = env`. */
const namesIn = (text: string): readonly string[] => [
  ...Array.from(text.matchAll(/"([A-Z][A-Z0-9_]+)"/gu), ([, name = ""]) => name),
  ...Array.from(text.matchAll(/\{([^{}]*)\} = (?:process\.)?env\b/gu), ([, list = ""]) => list).flatMap(
    (list) => Array.from(list.matchAll(/\b([A-Z][A-Z0-9_]+):/gu), ([, name = ""]) => name),
  ),
];

const names = [...new Set(sources.flatMap(namesIn))].toSorted();

describe("the names of settings", () => {
  it("are found where functions read them", () => {
    for (const name of ["PORT", "SINK", "PORT_OF_ADMISSION", "OIDC_AUDIENCE", "TLS_KEY_FILE", "ON_SIGTERM"])
      assert.ok(names.includes(name), `${name} in ${names.join(" ")}`);
  });

  it("are read in no other way than those that are looked for here", () => {
    for (const text of sources) assert.deepEqual(text.match(/\benv\.[A-Z]\w*/gu), null);
  });

  for (const name of names.filter((each) => !ITS_OWN.has(each)))
    it(`${name} is no name that Kubernetes gives to a Service's address`, () => {
      assert.doesNotMatch(name, LINK);
    });

  it("would be noticed if they were", () => {
    for (const link of [
      "ADMISSION_PORT",
      "A_SERVICE_HOST",
      "A_SERVICE_PORT",
      "A_SERVICE_PORT_HTTPS",
      "A_PORT_443_TCP",
      "A_PORT_443_TCP_ADDR",
    ])
      assert.match(link, LINK);
  });
});
