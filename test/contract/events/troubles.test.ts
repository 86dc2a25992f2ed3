import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failure } from "../../support/fake-api-server.ts";
import type { FakeAnswer } from "../../support/fake-api-server.ts";
import { until } from "../../support/until.ts";
import { call } from "./call.ts";
import { FunctionsScene, nothing } from "./functions-up.ts";
import type { Answers, Up } from "./functions-up.ts";
import { living } from "./living.ts";
import { callText, readsIfLiving } from "./reads.ts";
import type { Got } from "./send.ts";

const is = (wanted: number, { status, type, body }: Got, { name }: Up): void => {
  assert.equal(status, wanted, name);
  assert.match(type, /^text\/plain/u, name);
  if (wanted === 204) assert.equal(body, "", name);
};

/** Milliseconds that the last event took, by its process's own clock. */
const took = ({ process }: Up): number => Number(process.logs.findLast((line) => "ms" in line)?.["ms"]);

const busy = (retryAfter: string): FakeAnswer => ({
  ...Object(failure(429, "TooManyRequests")),
  headers: { "retry-after": retryAfter },
});

/** Answers the first call of each process with 429, the others as if nothing were; and until when each was asked to wait (ms since 1970). */
const busyOnce = (
  retryAfter: () => string,
): { readonly answers: Answers; readonly ends: Map<string, number> } => {
  const ends = new Map<string, number>();
  return {
    ends,
    answers: (request, name) => {
      if (ends.has(name)) return nothing(request, name);
      const header = retryAfter();
      const seconds = Number(header);
      ends.set(name, Number.isNaN(seconds) ? Date.parse(header) : Date.now() + seconds * 1000);
      return busy(header);
    },
  };
};

describe("every function, with an API server in trouble", () => {
  const scene = new FunctionsScene();
  const { each } = scene;
  const answer = (wanted: number): Promise<void> => each(async (up) => is(wanted, await call(up), up));

  it("reads a SampleDB and each kind of children once, and writes nothing where nothing is to be done", async () => {
    scene.answers = living();
    await each(async (up) => {
      for (const path of up.paths) {
        // Where `report` takes part, the first event brings the status up to date.
        is(204, await call(up, "orders", path), up);
        const asked = up.api.requests.length;
        is(204, await call(up, "orders", path), up);
        const calls = up.api.requests.slice(asked).map(callText).toSorted();
        assert.deepEqual(calls, readsIfLiving(up.name, path, "shop/orders"), `${up.name} at ${path}`);
      }
    });
  });

  it("answers 503 while nobody listens, and works again afterwards", async () => {
    await each(({ api }) => api.down());
    await answer(503);
    await each(({ api }) => api.up());
    await answer(204);
  });

  const troubles: Readonly<Record<string, FakeAnswer>> = {
    "cuts the connection": "cut",
    "cuts the connection in the middle of an answer": "cut short",
    "answers half an object": {
      headers: { "content-type": "application/json" },
      lines: [],
      text: "{",
      ends: true,
    },
    "answers 500": failure(500, "InternalError"),
    "answers 503": failure(503, "ServiceUnavailable"),
    "does not accept who we are": failure(401, "Unauthorized"),
    "is a proxy that talks HTML": { headers: { "content-type": "text/html" } },
  };
  for (const [name, trouble] of Object.entries(troubles)) {
    it(`answers 503 where it ${name}, and works again afterwards`, async () => {
      scene.answers = () => trouble;
      await answer(503);
      scene.answers = nothing;
      await answer(204);
    });
  }

  it("answers 503 within its deadline where it never answers", async () => {
    scene.answers = () => "hang";
    await answer(503);
    await each(async (up) => {
      await until("the event's line of log", () => took(up) >= 7_900);
      assert.ok(took(up) < 10_000, `${up.name}: ${took(up)} ms`);
    });
  });

  describe("that is overloaded", () => {
    const waits: Readonly<Record<string, () => string>> = {
      "some seconds": () => "1",
      "until a date": () => new Date(Date.now() + 2000).toUTCString(),
    };
    for (const [name, retryAfter] of Object.entries(waits)) {
      it(`waits ${name} where it is asked to, and answers 204`, async () => {
        const asked = busyOnce(retryAfter);
        scene.answers = asked.answers;
        await each(async (up) => {
          is(204, await call(up), up);
          assert.ok(Date.now() >= (asked.ends.get(up.name) ?? Infinity) - 5, up.name);
        });
      });
    }
    const tooLong: Readonly<Record<string, () => string>> = {
      "some seconds": () => "60",
      "until a date": () => new Date(Date.now() + 60_000).toUTCString(),
    };
    for (const [name, retryAfter] of Object.entries(tooLong)) {
      it(`answers 503 at once where it would have to wait ${name}, longer than it may`, async () => {
        scene.answers = () => busy(retryAfter());
        await each(async (up) => {
          const lines = up.process.logs.length;
          is(503, await call(up), up);
          await until("the event's line of log", () =>
            up.process.logs.slice(lines).some((line) => "ms" in line),
          );
          assert.ok(took(up) < 5_000, `${up.name}: ${took(up)} ms`);
        });
      });
    }
  });
});
