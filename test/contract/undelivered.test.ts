import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Event } from "../../functions/shared/kube/kinds.ts";
import { RECORDED_LETTER, deadLetter } from "../support/dead-letter.ts";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer, FakeRequest } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { until } from "../support/until.ts";
import { everyPlace, HOSTILE } from "./events/hostile-names.ts";
import { REFUSALS } from "./events/refusals.ts";
import { send } from "./events/send.ts";
import type { Got, Message } from "./events/send.ts";

const ORDERS = { kind: "SampleDB", name: "orders" };

/** The API server of a namespace in which `orders` is, and nothing else; it keeps the Events that are made. */
const living = (): ((request: FakeRequest) => FakeAnswer) => {
  const names = new Set<string | undefined>();
  return ({ method, path, body }) => {
    if (path.endsWith("/sampledbs/orders")) return { body: makeSampleDB() };
    if (method === "GET") return failure(404, "NotFound", { name: "gone", kind: "sampledbs" });
    const event: Event = JSON.parse(body);
    const { name } = event.metadata;
    if (names.has(name)) return failure(409, "AlreadyExists", { name });
    names.add(name);
    return { status: 201, body: event };
  };
};

const eventsIn = (calls: readonly FakeRequest[]): readonly Event[] =>
  calls.filter(({ method }) => method === "POST").map(({ body }): Event => JSON.parse(body));
const isDone = ({ status, type, body }: Got): void => {
  assert.deepEqual([status, body], [204, ""]);
  assert.match(type, /^text\/plain/u);
};

describe("the process of undelivered", () => {
  let api: FakeApiServer;
  let fn: FunctionProcess;
  let kubeconfig: ReturnType<typeof kubeconfigFor>;
  let answers = living();

  before(async () => {
    api = await fakeApiServer((request) => answers(request));
    kubeconfig = kubeconfigFor(api.url);
    fn = startFunction("undelivered", { KUBECONFIG: kubeconfig.file });
    await fn.url();
  });
  beforeEach(() => {
    answers = living();
  });
  after(async () => {
    await fn[Symbol.asyncDispose]();
    kubeconfig[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const post = async (message: Message): Promise<Got> => send(new URL(await fn.url()), message);
  /** Sends it, and tells what the API server was asked meanwhile. */
  const callsOf = async (
    message: Message,
  ): Promise<{ readonly got: Got; readonly calls: readonly FakeRequest[] }> => {
    const asked = api.requests.length;
    const got = await post(message);
    return { got, calls: api.requests.slice(asked) };
  };
  const counted = async (destination: string, code: string): Promise<number> => {
    const page = await (await fetch(`${await fn.url()}/metrics`)).text();
    const sample = `sampledb_undelivered_events_total{destination="${destination}",code="${code}"} `;
    const line = page.split("\n").find((each) => each.startsWith(sample)) ?? `${sample}0`;
    return Number(line.slice(sample.length));
  };

  it("makes one Event on the SampleDB, counts the letter, and says so in a line", async () => {
    const earlier = await counted("provision", "503");
    const { got, calls } = await callsOf(deadLetter(ORDERS, { "ce-id": "letter-1" }));
    isDone(got);
    assert.ok(
      calls.every(
        ({ method, path }) => method === "POST" || path.endsWith("/namespaces/shop/sampledbs/orders"),
      ),
    );
    const [event, ...others] = eventsIn(calls);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [event?.type, event?.reason, event?.involvedObject.uid],
      ["Warning", "EventUndelivered", "uid-orders"],
    );
    assert.match(event?.message ?? "", /provision answered 503/u);
    assert.equal(await counted("provision", "503"), earlier + 1);
    const line = await until("its lines", () =>
      fn.logs.find(({ id, message }) => id === "letter-1" && message === "event"),
    );
    const { key, destination, code, outcome, level } = line;
    assert.deepEqual(
      [key, destination, code, outcome, level],
      ["shop/orders", "provision", "503", "settled", "info"],
    );
    const warning = fn.logs.find(
      ({ id, message }) => id === "letter-1" && message === "an event was given up",
    );
    assert.deepEqual(
      [warning?.["level"], warning?.["type"]],
      ["warning", "dev.knative.apiserver.ref.update"],
    );
  });

  it("makes no second Event of a doubled letter, of another at the same moment or of one that comes later, and counts each", async () => {
    const earlier = await counted("provision", "503");
    const all = await Promise.all(
      ["one", "one", "two"].map((id) => post(deadLetter(ORDERS, { "ce-id": id }))),
    );
    isDone(await post(deadLetter(ORDERS, { "ce-id": "one" })));
    for (const got of all) isDone(got);
    const names = new Set(eventsIn(api.requests).map(({ metadata }) => metadata.name));
    assert.equal(names.size, 1);
    assert.equal(await counted("provision", "503"), earlier + 4);
  });

  it("tells of each function and each answer by an Event of its own", async () => {
    const names = new Set<string | undefined>();
    for (const [to, code] of [
      ["provision", "503"],
      ["report", "503"],
      ["report", "400"],
    ] as const) {
      const letter = deadLetter(ORDERS, {
        "ce-knativeerrordest": `http://${to}.sampledb-system.svc.cluster.local`,
        "ce-knativeerrorcode": code,
      });
      const [event] = eventsIn((await callsOf(letter)).calls);
      assert.match(event?.message ?? "", new RegExp(`${to} answered ${code}`, "u"));
      names.add(event?.metadata.name);
    }
    assert.equal(names.size, 3);
  });

  it("tells of a child on the SampleDB that it may belong to", async () => {
    const { got, calls } = await callsOf(deadLetter({ kind: "Secret", name: "orders-superuser" }));
    isDone(got);
    assert.deepEqual(
      eventsIn(calls).map(({ involvedObject }) => `${involvedObject.kind} ${involvedObject.name}`),
      ["SampleDB orders"],
    );
  });

  it("takes a letter of a SampleDB that is gone as well as any other, and costs one read", async () => {
    const { got, calls } = await callsOf(deadLetter({ kind: "SampleDB", name: "gone" }));
    isDone(got);
    assert.deepEqual(
      calls.map(({ method, path }) => `${method} ${path}`),
      ["GET /apis/sampledb.dev/v1/namespaces/shop/sampledbs/gone"],
    );
  });

  it("counts the recorded letter, which names no object, and asks for nothing", async () => {
    const earlier = await counted("unknown", "503");
    const { got, calls } = await callsOf(RECORDED_LETTER);
    isDone(got);
    assert.deepEqual(calls, []);
    assert.equal(await counted("unknown", "503"), earlier + 1);
  });

  it("takes a letter from which a broker left out whose it was and what was answered", async () => {
    const letter = deadLetter(ORDERS, { "ce-knativeerrordest": undefined, "ce-knativeerrorcode": undefined });
    const { got, calls } = await callsOf(letter);
    isDone(got);
    assert.match(eventsIn(calls)[0]?.message ?? "", /a function did not answer/u);
  });

  it("answers 503 while the API server cannot be used, so that the letter comes again, and tells it then", async () => {
    for (const trouble of [failure(503, "ServiceUnavailable"), "cut" as const]) {
      answers = () => trouble;
      assert.equal((await post(deadLetter(ORDERS))).status, 503);
    }
    answers = living();
    const { got, calls } = await callsOf(deadLetter(ORDERS));
    isDone(got);
    assert.equal(eventsIn(calls).length, 1);
  });

  it("answers 204 where the Event is refused: nothing gets better by another try", async () => {
    answers = ({ method }) =>
      method === "GET" ? { body: makeSampleDB() } : failure(403, "Forbidden", { name: "quota" });
    const { got, calls } = await callsOf(deadLetter(ORDERS));
    assert.equal(eventsIn(calls).length, 1);
    isDone(got);
  });

  it("shows nothing of what strangers write in its metrics, Events or lines", async () => {
    const evil = "x".repeat(3000);
    for (const more of [
      { "ce-knativeerrordest": `http://${evil}.example.com/` },
      { "ce-knativeerrordest": `http://provision.databases.svc/${evil}` },
      { "ce-knativeerrorcode": evil },
      { "ce-knativeerrordata": evil },
      { "ce-type": evil, "ce-id": evil, "ce-source": `/${evil}` },
    ]) {
      const { got, calls } = await callsOf(deadLetter(ORDERS, more));
      isDone(got);
      for (const { body } of calls) assert.doesNotMatch(body, /xxx/u);
    }
    const page = await (await fetch(`${await fn.url()}/metrics`)).text();
    assert.doesNotMatch(page, /xxx|orders|shop/u);
    for (const line of fn.logs) assert.doesNotMatch(JSON.stringify(line), /x{101}/u);
  });

  it("looks for no hostile name, wherever it stands", async () => {
    const headers = { "ce-knativeerrorcode": "503", "ce-knativeerrordest": "http://report.databases.svc" };
    for (const value of HOSTILE)
      for (const message of everyPlace(value)) {
        const letter =
          "bytes" in message ? message : { ...message, headers: { ...message.headers, ...headers } };
        const { got, calls } = await callsOf(letter);
        assert.ok([204, 400].includes(got.status), `${got.status}`);
        assert.deepEqual(calls, []);
      }
  });

  for (const { name, message, want } of REFUSALS)
    it(`answers ${want} to ${name} and asks for nothing`, async () => {
      const { got, calls } = await callsOf(message);
      assert.equal(got.status, want);
      assert.deepEqual(calls, []);
    });

  it("has logged no error of its own, and nothing on stderr", () => {
    assert.equal(fn.stderr(), "");
    assert.deepEqual(
      fn.logs.filter(({ level, outcome }) => level === "error" || outcome === "bug"),
      [],
    );
  });
});
