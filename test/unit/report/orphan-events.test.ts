import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ANNOTATION, LABEL } from "../../../functions/shared/api/markers.ts";
import type { Event } from "../../../functions/shared/kube/kinds.ts";
import { makeClaim, makePendingClaim, makeSecret, makeStatefulSet } from "../../support/make-children.ts";
import type { Change } from "./make-observed.ts";
import { planFor } from "./report-writing.ts";

type Objects = NonNullable<Change["objects"]>;

/** What is planned where `orders` is gone and these objects are left. */
const planLeft = (objects: Objects, context: Change["context"] = {}) =>
  planFor({
    sampledb: undefined,
    objects: { PersistentVolumeClaim: [], Secret: [], StatefulSet: [], ...objects },
    context,
  });

const told = (objects: Objects, context: Change["context"] = {}): readonly Event[] =>
  planLeft(objects, context).map((action) => {
    assert.ok(action.do === "create" && action.object.kind === "Event", JSON.stringify(action));
    return action.object;
  });

const objectsOf = (events: readonly Event[]): readonly string[] =>
  events.map(({ involvedObject }) => `${involvedObject.kind} ${involvedObject.name}`);

const everything: Objects = {
  PersistentVolumeClaim: [makeClaim()],
  Secret: [makeSecret("orders"), makeSecret("orders-superuser")],
  StatefulSet: [makeStatefulSet()],
};

const retained = { labels: { [LABEL.retained]: "true" } };
const ending = { deletionTimestamp: "2026-01-01T00:59:59Z" };
const usersOwn = { ...makeSecret("sql"), metadata: { ...makeSecret("sql").metadata, annotations: {} } };

describe("report on what outlived its SampleDB", () => {
  it("warns on each claim, Secret and StatefulSet, and writes nothing else", () => {
    const events = told(everything);
    assert.deepEqual(objectsOf(events), [
      "StatefulSet orders-1",
      "PersistentVolumeClaim orders-1-1",
      "Secret orders",
      "Secret orders-superuser",
    ]);
    for (const { type, reason } of events) assert.equal(`${type} ${reason}`, "Warning Orphaned");
    assert.deepEqual(events[0]?.involvedObject, {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      namespace: "shop",
      name: "orders-1",
      uid: "uid-orders-1",
    });
  });

  const silent: readonly { readonly what: string; readonly objects: Objects }[] = [
    {
      what: "what deletion policy Retain kept",
      objects: {
        PersistentVolumeClaim: [makeClaim({ metadata: retained })],
        Secret: [makeSecret("orders", { metadata: retained })],
      },
    },
    {
      what: "what is being deleted",
      objects: {
        PersistentVolumeClaim: [makeClaim({ metadata: ending })],
        Secret: [makeSecret("orders", { metadata: ending })],
        StatefulSet: [makeStatefulSet({ metadata: ending })],
      },
    },
    { what: "a user's own Secret that only has the label", objects: { Secret: [usersOwn] } },
  ];
  for (const { what, objects } of silent) {
    it(`says nothing of ${what}`, () => {
      assert.deepEqual(planLeft(objects), []);
    });
  }

  it("tells it once for as long as the Event is there, and again under the same name when it expired", () => {
    const events = told(everything);
    const later = { now: new Date("2026-01-01T02:30:00Z") };
    assert.deepEqual(planLeft({ ...everything, Event: events }, later), []);
    const [first, ...others] = events;
    const again = told({ ...everything, Event: others }, later);
    assert.deepEqual(
      again.map(({ metadata }) => metadata),
      [first?.metadata],
    );
    // By this label all of them are found in one list.
    for (const { metadata } of events) assert.equal(metadata.labels?.[LABEL.database], "orders");
    assert.equal(new Set(events.map(({ metadata }) => metadata.name)).size, 4);
  });

  it("takes an object of the same name that was made anew for another one", () => {
    const [before] = told({ StatefulSet: [makeStatefulSet()] });
    const [after] = told({ StatefulSet: [makeStatefulSet({ metadata: { uid: "uid-another" } })] });
    assert.notEqual(before?.metadata.name, after?.metadata.name);
  });

  it("says whose it was and what to do", () => {
    for (const { message = "", involvedObject } of told(everything)) {
      assert.match(message, /^SampleDB shop\/orders, .* is gone/u);
      assert.match(message, /Create SampleDB orders again/u);
      const remove = `kubectl delete ${involvedObject.kind?.toLowerCase()} ${involvedObject.name} -n shop.`;
      assert.ok(message.includes(remove), message);
      assert.ok(message.length <= 1024);
    }
  });

  it("says of a claim what happens to the data and its volume", () => {
    const [bound] = told({ PersistentVolumeClaim: [makeClaim()] });
    assert.match(bound?.message ?? "", /PersistentVolume pv-orders then keeps the data only if .* Retain/u);
    const [unbound] = told({ PersistentVolumeClaim: [makePendingClaim()] });
    assert.match(unbound?.message ?? "", /holds no data\.$/u);
  });

  it("tells of children that carry no more than the annotation of whose they were", () => {
    const bare = { metadata: { annotations: { [ANNOTATION.ownerUid]: "uid-of-nobody" } } };
    assert.deepEqual(objectsOf(told({ StatefulSet: [makeStatefulSet(bare)] })), ["StatefulSet orders-1"]);
  });
});
