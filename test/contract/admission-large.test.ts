import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mutate } from "../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { listenForReviews } from "../../functions/shared/serve/admission-server.ts";
import { refused } from "../../functions/shared/serve/admission-answer.ts";
import type { Answer } from "../../functions/shared/serve/admission-answer.ts";
import type { JudgeBig } from "../../functions/shared/serve/judge-big.ts";
import { startAdmission } from "../support/admission-process.ts";
import { largeLabels } from "../support/large-labels.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { until } from "../support/until.ts";

const MIB = 2 ** 20;

/** A review of an UPDATE of two objects of nearly 3 MiB each. */
const large = (): string => {
  const object = makeSampleDB({ metadata: { name: "orders", labels: largeLabels(2.9 * MIB) } });
  return JSON.stringify(makeReview(object, object));
};
const small = JSON.stringify(makeReview(makeSampleDB()));

type Answered = { readonly code: number; readonly text: string };

/** A stream is sent without its length. */
const post = async (
  url: string,
  body: string | ReadableStream,
  signal: AbortSignal | null = null,
): Promise<Answered> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    duplex: "half",
    signal,
  });
  return { code: response.status, text: await response.text() };
};

/** Serves mutate in this process, with a judge of big reviews that a test plays. */
const withJudge = async (judgeBig: JudgeBig, test: (url: string) => Promise<void>): Promise<void> => {
  const server = await listenForReviews({
    functions: [mutate],
    catalog: () => BUILT_IN_CATALOG,
    port: 0,
    judgeBig,
  });
  try {
    await test(`http://127.0.0.1:${server.port}/mutate?timeout=300s`);
  } finally {
    await server.close();
  }
};

/** A judge whose verdicts the test gives, in the order in which it was asked. */
const judgedByHand = (): {
  readonly judging: PromiseWithResolvers<Answer>[];
  readonly judge: JudgeBig;
} => {
  const judging: PromiseWithResolvers<Answer>[] = [];
  const judge: JudgeBig = () => {
    const verdict = Promise.withResolvers<Answer>();
    judging.push(verdict);
    return verdict.promise;
  };
  return { judging, judge };
};

const never: JudgeBig = () => Promise.withResolvers<never>().promise;
const outgrows: JudgeBig = () =>
  Promise.reject(Object.assign(new Error("heap"), { code: "ERR_WORKER_OUT_OF_MEMORY" }));
const fails: JudgeBig = () => Promise.reject(new Error("out of memory at 0xbeef"));

describe("a large review", () => {
  it("of two objects of the API server's limit is judged by either function", async () => {
    await using admission = await startAdmission("admission");
    for (const [path, answer] of [
      ["/mutate", /"patchType":"JSONPatch"/u],
      ["/validate", /"allowed":true/u],
    ] as const) {
      const { code, text } = await post(`http://127.0.0.1:${admission.port}${path}?timeout=300s`, large());
      assert.equal(code, 200, text);
      assert.match(text, answer);
    }
  });

  it("holds up no small one", async () => {
    await using admission = await startAdmission("admission");
    const url = `http://127.0.0.1:${admission.port}/mutate?timeout=300s`;
    const order: string[] = [];
    const big = post(url, large()).then(() => order.push("large"));
    for (let count = 0; count < 3; count += 1) await post(url, small).then(() => order.push("small"));
    await big;
    // However slow the machine: a thread has to start and read megabytes of JSON meanwhile.
    assert.equal(order.at(-1), "large");
  });

  it("that takes too long is answered in time that it was too late", async () => {
    await withJudge(never, async (url) => {
      const { code, text } = await post(url.replace("300s", "300ms"), large());
      assert.equal(code, 503);
      assert.match(text, /could not be judged within the call's timeout/u);
    });
  });

  it("waits for its turn while two are judged, and gets it when one of them is done", async () => {
    const { judging, judge } = judgedByHand();
    await withJudge(judge, async (url) => {
      const answers = [1, 2, 3].map(() => post(url, large()));
      await until("two to be judged", () => judging.length === 2);
      // Whose length nobody said counts as large; a small one waits for nobody.
      const unsaid = post(url, new Blob([small]).stream());
      assert.equal((await post(url, small)).code, 200);
      assert.equal(judging.length, 2);
      judging[0]?.resolve(refused(400, "judged first"));
      await until("the third to be judged", () => judging.length === 3);
      for (const { resolve } of judging) resolve(refused(400, "judged later"));
      const texts = (await Promise.all(answers)).map(({ text }) => text);
      assert.equal(texts.filter((text) => text.includes("judged first")).length, 1, texts.join("\n"));
      assert.equal((await unsaid).code, 200);
    });
  });

  it("whose sender goes while it waits hands its turn on", async () => {
    const { judging, judge } = judgedByHand();
    await withJudge(judge, async (url) => {
      const answers = [1, 2].map(() => post(url, large()));
      await until("two to be judged", () => judging.length === 2);
      await assert.rejects(post(url.replace("300s", "600s"), large(), AbortSignal.timeout(200)));
      answers.push(post(url, large()));
      for (const { resolve } of judging) resolve(refused(400, "judged"));
      await until("the last to be judged", () => judging.length === 3);
      judging[2]?.resolve(refused(400, "judged"));
      for (const { text } of await Promise.all(answers)) assert.match(text, /judged/u);
    });
  });

  it("that takes too much memory is answered that it does", async () => {
    await withJudge(outgrows, async (url) => {
      const { code, text } = await post(url, large());
      assert.equal(code, 413);
      assert.match(text, /takes more memory than there is/u);
    });
  });

  it("whose judge fails is answered 500 without the cause, and the next one is judged", async () => {
    await withJudge(fails, async (url) => {
      const { code, text } = await post(url, large());
      assert.equal(code, 500);
      assert.deepEqual(JSON.parse(text), {
        error: "the review could not be judged; the function's log says why",
      });
      assert.equal((await post(url, small)).code, 200);
    });
  });
});
