import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Sent, sendLikeKnative } from "../../support/delivery/knative-retry.ts";

const sent = async (...answers: readonly Sent[]) => {
  const waits: number[] = [];
  const got = await sendLikeKnative(
    (tries) => Promise.resolve(answers[tries] ?? "network error"),
    (ms) => Promise.resolve(waits.push(ms)),
  );
  return { got, waits };
};

describe("a sender like Knative's source", () => {
  it("sends six times with doubled waits, then no more", async () => {
    assert.deepEqual(await sent(503, 502, 504, 429, 404, 413, 204), {
      got: [503, 502, 504, 429, 404, 413],
      waits: [5, 10, 20, 40, 80],
    });
  });
  it("sends again after a network error and 425", async () => {
    assert.deepEqual((await sent("network error", 425, 204)).got, ["network error", 425, 204]);
  });
  for (const status of [200, 204, 400, 401, 403, 405, 409, 500, 501] as const) {
    it(`sends once where the answer is ${status}`, async () => {
      assert.deepEqual(await sent(status, 204), { got: [status], waits: [] });
    });
  }
});
