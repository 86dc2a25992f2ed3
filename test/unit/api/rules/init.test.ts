import { describe } from "node:test";
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
