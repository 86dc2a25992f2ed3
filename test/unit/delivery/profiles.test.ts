import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { CHILD_KINDS } from "../../../functions/shared/api/child-kinds.ts";
import { pathsOf } from "../../support/delivery/paths-of.ts";
import { PROFILES, type Profile } from "../../support/delivery/profiles.ts";
import { type Sending, type Sent, sendBy } from "../../support/delivery/sending.ts";

const { direct, broker, "broker-dead-letter": brief, openfaas, "openfaas-async": queued } = PROFILES;

const ALWAYS = Array<Sent>(20).fill(503);

const sent = async (sending: Sending, ...answers: readonly Sent[]) => {
  const pauses: number[] = [];
  const got = await sendBy(
    sending,
    (tries) => Promise.resolve(answers[tries] ?? 204),
    (ms) => Promise.resolve(pauses.push(ms)),
  );
  return { got, pauses, seconds: pauses.reduce((sum, ms) => sum + ms, 0) / 1000 };
};

const triggerOf = ({ trigger }: Profile): NonNullable<Profile["trigger"]> => {
  assert.ok(trigger !== undefined);
  return trigger;
};

describe("Knative's source", () => {
  it("sends six times with doubled pauses, then no more", async () => {
    assert.deepEqual(await sent(direct.sending, 503, 502, 504, 429, 404, 413, 204), {
      got: [503, 502, 504, 429, 404, 413],
      pauses: [100, 200, 400, 800, 1600],
      seconds: 3.1,
    });
  });
  it("sends again after a network error and 425", async () => {
    const { got } = await sent(direct.sending, "network error", 425, 204);
    assert.deepEqual(got, ["network error", 425, 204]);
  });
  for (const status of [200, 204, 400, 401, 403, 405, 409, 500, 501] as const) {
    it(`sends once where the answer is ${status}`, async () => {
      assert.deepEqual(await sent(direct.sending, status, 204), { got: [status], pauses: [], seconds: 0 });
    });
  }
  it("is the same in front of a Broker", () => {
    for (const each of [broker, brief]) assert.equal(each.sending, direct.sending);
  });
  it("has one event of a kind in flight, and tells nothing of what it did not see", () => {
    for (const { lines, catchesUp } of [direct, broker, brief]) {
      assert.deepEqual([lines, catchesUp], [["one a kind"], "nothing"]);
    }
  });
});

describe("a Trigger", () => {
  it("sends eleven times in 205 s by default", async () => {
    const { got, pauses, seconds } = await sent(triggerOf(broker), ...ALWAYS);
    assert.deepEqual([got.length, pauses[0], pauses.at(-1), seconds], [11, 200, 102_400, 204.6]);
  });
  it("lets those kinds through that our component says, each of some function's, and SampleDBs to all", () => {
    const { kinds } = triggerOf(brief);
    assert.deepEqual(
      [...(kinds?.keys() ?? [])].map((name) => `/${name}`),
      pathsOf(brief),
    );
    for (const [name, own] of kinds ?? []) assert.ok(own.has("SampleDB"), name);
    const all = new Set([...(kinds?.values() ?? [])].flatMap((own) => Array.from(own)));
    assert.deepEqual([...all].toSorted(), ["SampleDB", ...CHILD_KINDS].toSorted());
  });
  it("is set as our component sets it", async () => {
    const file = "manifests/overlays/knative/components/broker/kustomization.yaml";
    const text = await readFile(new URL(`../../../${file}`, import.meta.url), "utf8");
    for (const line of [
      "retry: 2",
      "backoffPolicy: exponential",
      "backoffDelay: PT0.5S",
      "deadLetterSink:",
    ]) {
      assert.ok(text.includes(line), line);
    }
  });
  it("sends three times in 1.5 s with our settings", async () => {
    const { got, pauses } = await sent(triggerOf(brief), ...ALWAYS);
    assert.deepEqual([got.length, pauses], [3, [500, 1000]]);
  });
  for (const status of ["network error", 404, 408, 409, 429, 500, 501, 502, 503, 504] as const) {
    it(`sends again after ${status}`, async () => {
      assert.deepEqual((await sent(triggerOf(broker), status, 204)).got, [status, 204]);
    });
  }
  for (const status of [200, 202, 204, 301, 400, 401, 403, 405, 413, 425] as const) {
    it(`sends once where the answer is ${status}`, async () => {
      assert.deepEqual((await sent(triggerOf(broker), status, 204)).got, [status]);
    });
  }
});

describe("OpenFaaS", () => {
  it("tells every key after a gap, since source watches there", () => {
    for (const { wires, catchesUp } of [openfaas, queued]) {
      assert.deepEqual([wires, catchesUp], [["source"], "every key"]);
    }
  });
});

describe("every profile", () => {
  it("is called as it is asked for", () => {
    for (const [name, profile] of Object.entries(PROFILES)) assert.equal(profile.name, name);
  });
});
