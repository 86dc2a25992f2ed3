import { describe } from "node:test";
import { initOwnObjects } from "../../../../functions/shared/api/rules/init-own-objects.ts";
import { initReferences } from "../../../../functions/shared/api/rules/init-references.ts";
import type { InitScript } from "../../../../functions/shared/api/sampledb.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const of = (...init: readonly InitScript[]) => makeSampleDB({ spec: { init } });
const configMap = (name: string, key: string): InitScript => ({ configMapKeyRef: { name, key } });
const secret = (name: string, key: string): InitScript => ({ secretKeyRef: { name, key } });

describe("initReferences", () => {
  ruleTable(initReferences, [
    { title: "allows no scripts", sampledb: makeSampleDB(), want: [] },
    {
      title: "allows several keys of one ConfigMap",
      sampledb: of(configMap("a", "1.sql"), configMap("a", "2.sql")),
      want: [],
    },
    {
      title: "allows a ConfigMap and a Secret of one name",
      sampledb: of(configMap("a", "1.sql"), secret("a", "1.sql")),
      want: [],
    },
    {
      title: "refuses a script without a reference",
      sampledb: of({}),
      want: ["spec.init[0]: set exactly one of configMapKeyRef and secretKeyRef, none is set"],
    },
    {
      title: "refuses a script with both references",
      sampledb: of({ ...configMap("a", "k"), ...secret("a", "k") }),
      want: [/both are set/u],
    },
    {
      title: "refuses a script that is named twice and says where",
      sampledb: of(configMap("a", "k"), secret("a", "k"), configMap("a", "k")),
      want: [/^spec\.init\[2\]: .* is the same script as spec\.init\[0\]/u],
    },
    {
      title: "refuses a name that no object can have",
      sampledb: of(secret("My Secret", "k")),
      want: [/^spec\.init\[0\]\.secretKeyRef\.name: "My Secret": must be the name of a Secret/u],
    },
    {
      title: "refuses a key that no object can have",
      sampledb: of(configMap("a", "dir/k")),
      want: [/^spec\.init\[0\]\.configMapKeyRef\.key: /u],
    },
  ]);
});

describe("initOwnObjects", () => {
  ruleTable(initOwnObjects, [
    {
      title: "allows objects of the user's",
      sampledb: of(configMap("schema", "k"), secret("rows", "k")),
      want: [],
    },
    {
      title: "allows names that belong to children of another kind",
      sampledb: of(configMap("orders-superuser", "k"), secret("orders-headless", "k")),
      want: [],
    },
    {
      title: "refuses the SampleDB's own ConfigMap and says what to name instead",
      sampledb: of(configMap("orders", "k")),
      want: [
        'spec.init[0].configMapKeyRef.name: "orders": is this SampleDB\'s own ConfigMap, which holds no SQL: name a ConfigMap of yours, such as orders-schema',
      ],
    },
    {
      title: "refuses both of its Secrets, each at its place",
      sampledb: of(secret("orders", "password"), configMap("a", "k"), secret("orders-superuser", "password")),
      want: [/^spec\.init\[0\]\.secretKeyRef\.name: "orders": /u, /^spec\.init\[2\]\.secretKeyRef\.name: /u],
    },
    {
      title: "tells of a script with both references by the first of its own",
      sampledb: of({ ...configMap("orders", "k"), ...secret("orders", "k") }),
      want: [/configMapKeyRef/u],
    },
    {
      title: "says nothing while the name is to be made",
      sampledb: {
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { generateName: "orders-" },
        spec: { init: [secret("orders", "k")] },
      },
      want: [],
    },
  ]);
});
