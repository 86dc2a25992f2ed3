import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { report } from "../../../functions/report/report.ts";
import { retire } from "../../../functions/retire/retire.ts";
import type { Kind, Kinds } from "../../../functions/shared/kube/kinds.ts";
import { observe } from "../../../functions/shared/kube/observe.ts";
import type { Reader } from "../../../functions/shared/kube/reader.ts";
import { makeSecret } from "../../support/make-children.ts";

const key = { namespace: "shop", name: "orders" };

/** A reader of a cluster without SampleDBs, with these Secrets; every read is told. */
const readerOf = (secrets: readonly Kinds["Secret"][]) => {
  const asked: string[] = [];
  const found: { readonly [K in Kind]?: readonly Kinds[K][] } = { Secret: secrets };
  const reader: Reader = {
    get: async (kind, name) => {
      asked.push(`get ${kind} ${name}`);
      return Promise.resolve(undefined);
    },
    list: async (kind, _, query) => {
      asked.push(`list ${kind} ${Object.values(query).join(" ")}`);
      return Promise.resolve(found[kind] ?? []);
    },
  };
  return { asked, reader };
};

const readOf = async (secrets: readonly Kinds["Secret"][], reads = report): Promise<readonly string[]> => {
  const { asked, reader } = readerOf(secrets);
  await observe(reader, key, new Set(reads.reads), new Set(reads.readsIfGone));
  return asked;
};

const LISTS = ["PersistentVolumeClaim", "StatefulSet", "Secret"].map(
  (kind) => `list ${kind} sampledb.dev/database=orders`,
);

describe("observing a SampleDB that is gone", () => {
  it("costs whoever makes or removes children one read", async () => {
    assert.deepEqual(await readOf([], retire), ["get SampleDB orders"]);
  });
  it("costs report three lists more, after that read: a deletion's last removals must not look like leftovers", async () => {
    assert.deepEqual(await readOf([]), ["get SampleDB orders", ...LISTS]);
  });
  it("costs one list of Events where something is left, however much, and none for what was kept on purpose", async () => {
    const events = "list Event sampledb.dev/database=orders reason=Orphaned";
    const left = [makeSecret("orders"), makeSecret("orders-superuser")];
    assert.deepEqual(await readOf(left), ["get SampleDB orders", ...LISTS, events]);
    const kept = [makeSecret("orders", { metadata: { labels: { "sampledb.dev/retained": "true" } } })];
    assert.deepEqual(await readOf(kept), ["get SampleDB orders", ...LISTS]);
  });
});
