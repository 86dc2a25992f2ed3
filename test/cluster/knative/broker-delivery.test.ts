import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Event } from "../../../functions/shared/kube/kinds.ts";
import { failure, fakeApiServer } from "../../support/fake-api-server.ts";
import type { FakeApiServer } from "../../support/fake-api-server.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { BrokerDouble } from "../../support/knative/broker.ts";
import type { BrokerEvent } from "../../support/knative/broker.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { triggersIn } from "../../support/knative/trigger.ts";
import type { Trigger } from "../../support/knative/trigger.ts";
import { kubeconfigFor } from "../../support/kubeconfig-for.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import { living } from "../../contract/events/living.ts";

const FUNCTIONS = ["provision", "initialize", "retire", "report", "undelivered"] as const;

const aChange = (kind: string, apiversion: string): BrokerEvent => ({
  attributes: {
    specversion: "1.0",
    id: "1",
    type: "dev.knative.apiserver.ref.update",
    source: "https://10.96.0.1:443",
    apiversion,
    kind,
    namespace: "shop",
    name: "orders",
  },
  body: JSON.stringify({ apiVersion: apiversion, kind, namespace: "shop", name: "orders" }),
});
const ORDERS = aChange("SampleDB", "sampledb.dev/v1");

describe("functions alone, behind what a Broker does with the component's Triggers", () => {
  let api: FakeApiServer;
  let kubeconfigs: readonly ReturnType<typeof kubeconfigFor>[] = [];
  let processes: ReadonlyMap<string, FunctionProcess> = new Map();
  let triggers: readonly Trigger[] = [];
  /** Functions for which the API server cannot be used. */
  const sick = new Set<string>();
  const state = living();

  const told = (from: number): readonly Event[] =>
    api.requests
      .slice(from)
      .filter(({ method, path }) => method === "POST" && path.endsWith("/events"))
      .map(({ body }): Event => JSON.parse(body))
      .filter(({ reason }) => reason === "EventUndelivered");

  /** Who was tried and what each answered, by name; and what undelivered told. */
  const taken = async (event: BrokerEvent) => {
    const asked = api.requests.length;
    const broker = new BrokerDouble(triggers, async (service) => (await processes.get(service)?.url()) ?? "");
    await broker.take(event);
    const answers = Map.groupBy(broker.attempts, ({ to }) => to);
    return {
      tried: Object.fromEntries([...answers].map(([to, all]) => [to, all.map(({ answer }) => answer)])),
      events: told(asked),
    };
  };

  before(async () => {
    const text = await renderComponents(await offlineKubectl(), "overlays/knative", ["broker"]);
    triggers = triggersIn(objectsIn(text));
    api = await fakeApiServer((request) => {
      // Each has a path of its own before the API server's.
      const [, name = "", ...rest] = request.path.split("/");
      const path = `/${rest.join("/")}`;
      return sick.has(name) ? failure(503, "ServiceUnavailable") : state({ ...request, path }, "report");
    });
    kubeconfigs = FUNCTIONS.map((name) => kubeconfigFor(`${api.url}/${name}`));
    processes = new Map(
      FUNCTIONS.map((name, nth) => [name, startFunction(name, { KUBECONFIG: kubeconfigs[nth]?.file ?? "" })]),
    );
    for (const each of processes.values()) await each.url();
  });
  beforeEach(() => sick.clear());
  after(async () => {
    for (const each of processes.values()) await each[Symbol.asyncDispose]();
    for (const each of kubeconfigs) each[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  it("are woken by what they read, and answer at once", async () => {
    const all = { provision: [204], initialize: [204], retire: [204], report: [204] };
    assert.deepEqual(await taken(ORDERS), { tried: all, events: [] });
    const pod = await taken(aChange("Pod", "v1"));
    assert.deepEqual(pod, { tried: { retire: [204], report: [204] }, events: [] });
  });

  it("are tried three times, and then undelivered tells of the one that failed, once", async () => {
    sick.add("provision");
    const { tried, events } = await taken(ORDERS);
    const wanted = {
      provision: [503, 503, 503],
      initialize: [204],
      retire: [204],
      report: [204],
      undelivered: [204],
    };
    assert.deepEqual(tried, wanted);
    assert.equal(events.length, 1);
    assert.match(events[0]?.message ?? "", /provision answered 503/u);
    assert.equal(events[0]?.involvedObject.name, "orders");
  });

  it("are told of by as many Events as there are functions that failed", async () => {
    for (const name of ["provision", "initialize", "retire", "report"]) sick.add(name);
    const { tried, events } = await taken(ORDERS);
    assert.deepEqual(tried["undelivered"], [204, 204, 204, 204]);
    const named = events.map(
      ({ message = "" }) => /given up: (\w+) answered 503/u.exec(message)?.[1] ?? message,
    );
    assert.deepEqual(named.toSorted(), ["initialize", "provision", "report", "retire"]);
  });

  it("are at rest when nobody can be told either: a letter makes no letter", async () => {
    for (const name of FUNCTIONS) sick.add(name);
    const { tried, events } = await taken(aChange("Pod", "v1"));
    const thrice = [503, 503, 503];
    assert.deepEqual(tried, { retire: thrice, report: thrice, undelivered: [...thrice, ...thrice] });
    assert.deepEqual(events, []);
  });
});
