import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EventFault } from "../../support/delivery/faults.ts";
import type { At, Letter, WayParts } from "../../support/delivery/letter.ts";
import { planOf } from "../../support/delivery/plan.ts";
import { PROFILES, type ProfileName } from "../../support/delivery/profiles.ts";
import type { Sent } from "../../support/delivery/sending.ts";
import { wayOf } from "../../support/delivery/ways/way-of.ts";
import { until } from "../../support/until.ts";

const letter = (label: string, name = label, line = "SampleDB"): Letter => ({
  label,
  key: { namespace: "shop", name },
  line,
  event: { headers: { "ce-kind": line }, body: "" },
});

type Answer = (label: string, at: At) => Sent | Promise<Sent>;

/** The way of a profile, with what it sent so far: labels, and where each function runs alone its path. */
const scene = (profile: ProfileName, answer: Answer = () => 204) => {
  const sent: string[] = [];
  const pauses: number[] = [];
  const parts: WayParts = {
    post: async ({ label }, _, at) => {
      sent.push(label);
      return answer(label, at);
    },
    seed: 1,
    pause: (ms) => Promise.resolve(pauses.push(ms)),
    say: () => undefined,
    isFaulty: () => true,
  };
  const way = wayOf(planOf(1, PROFILES[profile]), parts);
  const take = (which: Letter, fault?: EventFault): void => way.take(which, fault);
  return { way, take, sent, pauses, done: () => until("the way's end", () => way.pending() === 0) };
};

const held = () => Promise.withResolvers<Sent>();

describe("ApiServerSource's way", () => {
  it("has one event of a kind in flight, in order, and other kinds' beside it", async () => {
    const first = held();
    const { take, sent, done } = scene("direct", (label) => (label === "a" ? first.promise : 204));
    for (const label of ["a", "b", "c"]) take(letter(label));
    take(letter("pod", "a", "Pod"));
    await until("both kinds", () => sent.length === 2);
    assert.deepEqual(sent, ["a", "pod"]);
    first.resolve(204);
    await done();
    assert.deepEqual(sent, ["a", "pod", "b", "c"]);
  });
  it("sends one event six times before the next, and drops it", async () => {
    const { take, sent, done } = scene("direct", (label) => (label === "a" ? 503 : 204));
    take(letter("a"));
    take(letter("b"));
    await done();
    assert.equal(sent.join(""), "aaaaaab");
  });
  it("forgets what waits when it starts again", async () => {
    const first = held();
    const { way, take, sent, done } = scene("direct", () => first.promise);
    take(letter("a"));
    take(letter("b"));
    await until("the first", () => sent.length === 1);
    way.forget();
    first.resolve(204);
    await done();
    assert.deepEqual(sent, ["a"]);
  });
});

describe("a Broker's way", () => {
  it("sends to each function, and the next event when all of them have taken this one", async () => {
    const slow = held();
    const { take, sent, done } = scene("broker", (label) => (label === "a /report" ? slow.promise : 204));
    take(letter("a"));
    take(letter("b"));
    await until("all four", () => sent.length === 4);
    assert.deepEqual(sent, ["a /provision", "a /initialize", "a /retire", "a /report"]);
    slow.resolve(204);
    await done();
    assert.equal(sent.length, 8);
  });
  it("drops what one of the functions never takes, after eleven sends to that one alone", async () => {
    const { take, sent, pauses, done } = scene("broker", (label) => (label === "a /report" ? 503 : 204));
    take(letter("a"));
    await done();
    assert.equal(sent.filter((label) => label === "a /report").length, 11);
    assert.equal(sent.length, 14);
    assert.equal(pauses.length, 10);
  });
  it("leaves out functions whose Trigger says nothing of the kind", async () => {
    const { take, sent, done } = scene("broker-dead-letter");
    take(letter("a", "a", "Job"));
    await done();
    assert.deepEqual(sent, ["a /initialize", "a /retire", "a /report"]);
  });
  it("is followed by a second delivery to all where the channel ends meanwhile", async () => {
    const { take, sent, done } = scene("broker");
    take(letter("a"), "lost answer");
    await done();
    assert.equal(sent.length, 8);
  });
});

describe("the way through OpenFaaS", () => {
  it("makes one delivery of the events of a key that wait, and goes on until it is taken", async () => {
    const first = held();
    let tries = 0;
    const answers: Answer = (label) => {
      if (label === "a") return first.promise;
      tries += 1;
      return tries < 20 ? 500 : 204;
    };
    const { take, sent, done } = scene("openfaas", answers);
    take(letter("a", "orders"));
    await until("the first", () => sent.length === 1);
    for (const label of ["b", "c", "d"]) take(letter(label, "orders"));
    first.resolve(204);
    await done();
    assert.equal(sent.join(""), `a${"d".repeat(20)}`);
  });
});

describe("the way through OpenFaaS' queue", () => {
  it("calls one after the other, once, whatever is answered", async () => {
    const first = held();
    const { take, sent, done } = scene("openfaas-async", (label) => (label === "a" ? first.promise : 503));
    for (const label of ["a", "b", "c"]) take(letter(label));
    await until("the first", () => sent.length === 1);
    first.resolve(503);
    await done();
    assert.deepEqual(sent, ["a", "b", "c"]);
  });
  it("repeats a call while it goes on", async () => {
    const { take, sent, done } = scene("openfaas-async");
    take(letter("a"), "double");
    await done();
    assert.deepEqual(sent, ["a", "a again"]);
  });
  it("calls again, after 60 s, what its worker was at when it started again", async () => {
    const { take, sent, pauses, done } = scene("openfaas-async");
    take(letter("a"), "worker restart");
    take(letter("b"));
    await done();
    assert.deepEqual(sent.toSorted(), ["a", "a", "b"]);
    assert.equal(sent[0], "a");
    assert.ok(pauses.includes(60_000));
  });
  it("loses what waits with the queue, and takes the event that found it gone when it is sent again", async () => {
    const first = held();
    const { take, sent, done } = scene("openfaas-async", (label) => (label === "a" ? first.promise : 204));
    for (const label of ["a", "b", "c"]) take(letter(label));
    await until("the first", () => sent.length === 1);
    take(letter("d"), "queue lost");
    first.resolve(204);
    await done();
    assert.deepEqual(sent, ["a", "d"]);
  });
});
