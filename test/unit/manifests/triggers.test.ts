import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import { report } from "../../../functions/report/report.ts";
import { retire } from "../../../functions/retire/retire.ts";
import { CHILD_KINDS } from "../../../functions/shared/api/child-kinds.ts";
import { RESOURCES } from "../../../functions/shared/kube/kinds.ts";
import type { ReadKind } from "../../../functions/shared/kube/observed.ts";
import { letterOf } from "../../../functions/undelivered/letter.ts";
import { apiServerSources } from "../../support/knative/knative-objects.ts";
import { filterFaults, triggersIn, wakes } from "../../support/knative/trigger.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";

const objectsIn = (file: string): readonly KubeObject[] => {
  const text = readFileSync(new URL(`../../../manifests/overlays/knative/${file}`, import.meta.url), "utf8");
  return parseAllDocuments(text).map((document): KubeObject => document.toJS());
};
const triggers = triggersIn(objectsIn("components/broker/broker.yaml"));
const watched = apiServerSources(objectsIn("common/sources.yaml")).flatMap(({ spec }) => spec.resources);

const FUNCTIONS = [provision, initialize, retire, report];
const KINDS = ["SampleDB", ...CHILD_KINDS] as const;

/** Whom a change of each kind wakes: the functions' own words, and where an init script may stand. */
const WOKEN_BY: Readonly<Record<string, readonly string[]>> = {
  SampleDB: ["initialize", "provision", "report", "retire"],
  Secret: ["initialize", "provision", "report", "retire"],
  ConfigMap: ["initialize", "provision", "report", "retire"],
  Service: ["provision", "report", "retire"],
  PersistentVolumeClaim: ["initialize", "provision", "report", "retire"],
  StatefulSet: ["initialize", "provision", "report", "retire"],
  PodDisruptionBudget: ["provision", "report", "retire"],
  Job: ["initialize", "report", "retire"],
  Pod: ["report", "retire"],
};

const INIT_SOURCES = ["ConfigMap", "Secret"];
/** Of what it reads, that which is watched; a volume, a class and an Event wake nobody. */
const watchedIn = (reads: readonly ReadKind[]): readonly string[] =>
  [
    ...new Set(["SampleDB", ...reads.flatMap((kind) => (kind === "InitSource" ? INIT_SOURCES : [kind]))]),
  ].filter((kind) => KINDS.some((each) => each === kind));

type Attributes = Readonly<Record<string, string>>;
const RECORDED: Readonly<Record<string, { readonly headers: Attributes }>> = JSON.parse(
  readFileSync(new URL("../../fixtures/knative-events.json", import.meta.url), "utf8"),
);

/** What Knative's source says of an object, in either mode. */
const told = (kind: (typeof KINDS)[number], mode: "resource" | "ref", what: string): Attributes => {
  const { headers = {} } = RECORDED[`apiserver.${mode}.${what}`] ?? {};
  const recorded = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith("ce-") ? [[name.slice(3), value] as const] : [],
  );
  const attributes = Object.fromEntries(recorded);
  assert.deepEqual([attributes["apiversion"], attributes["kind"]], ["kn.test/v1", "Thing"]);
  return { ...attributes, apiversion: RESOURCES[kind].apiVersion, kind };
};

const wokenBy = (event: Attributes): readonly string[] =>
  triggers
    .filter((trigger) => wakes(trigger, event))
    .map(({ spec }) => spec.subscriber.ref.name)
    .toSorted();

describe("the Triggers of the functions", () => {
  for (const kind of KINDS)
    it(`have a change of a ${kind} wake those functions that read it, and no others`, () => {
      for (const mode of ["resource", "ref"] as const)
        for (const what of ["add", "update", "delete"])
          assert.deepEqual(wokenBy(told(kind, mode, what)), WOKEN_BY[kind]);
      const readers = FUNCTIONS.filter(({ reads }) => watchedIn(reads).includes(kind)).map(
        ({ name }) => name,
      );
      assert.deepEqual(WOKEN_BY[kind], readers.toSorted());
    });

  it("ask for each kind that is told, and for no other", () => {
    for (const { apiVersion, kind } of watched) {
      const event = { ...told("Pod", "resource", "add"), apiversion: apiVersion, kind };
      assert.notDeepEqual(wokenBy(event), [], kind);
    }
    const exact = /"exact":\{[^}]*"kind":"(\w+)"/gu;
    const asked = Array.from(JSON.stringify(triggers).matchAll(exact), ([, kind = ""]) => kind);
    assert.deepEqual([...new Set(asked)].toSorted(), watched.map(({ kind }) => kind).toSorted());
  });

  it("have all functions woken by what `source` sends", () => {
    const event = {
      specversion: "1.0",
      id: "1",
      type: "dev.sampledb.source.changed",
      source: "/sampledb.dev",
      kind: "SampleDB",
      namespace: "shop",
      name: "orders",
    };
    assert.deepEqual(wokenBy(event), WOKEN_BY["SampleDB"]);
  });

  it("wake nobody by another group's kind of the same name, or by an event of something else", () => {
    const knatives = { ...told("Service", "resource", "add"), apiversion: "serving.knative.dev/v1" };
    assert.deepEqual(wokenBy(knatives), []);
    const { kind: _, apiversion: __, ...tick } = told("Pod", "resource", "add");
    assert.deepEqual(wokenBy({ ...tick, type: "dev.knative.sources.ping" }), []);
  });

  it("have filters as Knative's webhook takes them", () => {
    for (const trigger of triggers) {
      assert.notDeepEqual(trigger.spec.filters, []);
      assert.deepEqual(filterFaults(trigger), []);
      const broken = {
        ...trigger,
        spec: { ...trigger.spec, filters: [{ exact: { apiVersion: "v1" }, any: [] }] },
      };
      assert.equal(filterFaults(broken).length, 2);
    }
  });

  it("have subscribers whom undelivered knows by their address", () => {
    for (const { spec } of triggers) {
      const { name } = spec.subscriber.ref;
      const knativeerrordest = `http://${name}.sampledb-system.svc.cluster.local`;
      assert.equal(letterOf({ knativeerrordest }).to, name);
    }
  });
});
