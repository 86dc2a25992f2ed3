import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { BUILT_IN_CATALOG as catalog } from "../../../functions/shared/api/catalog.ts";
import { judgeBigBy } from "../../../functions/shared/serve/judge-big.ts";
import { makeReview } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const review = Buffer.from(JSON.stringify(makeReview(makeSampleDB())));
const admission = resolve(import.meta.dirname, "../../../functions/admission/index.ts");

describe("judgeBigBy", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "judge-big-"));
  });
  after(() => rm(folder, { recursive: true }));
  const program = async (text: string): Promise<string> => {
    const file = join(folder, `${Buffer.from(text).toString("hex").slice(-60)}.mjs`);
    await writeFile(file, text);
    return file;
  };

  it("answers each of several reviews at once by the function that is meant", async () => {
    const judge = judgeBigBy(admission);
    const answers = await Promise.all(
      ["mutate", "validate", "mutate"].map((name) => judge(name, review, catalog)),
    );
    assert.deepEqual(
      answers.map(({ code, fields }) => [code, fields["additions"]]),
      [
        [200, 4],
        [200, 0],
        [200, 4],
      ],
    );
  });

  it("rejects when the thread ends, and begins another for the next review", async () => {
    const judge = judgeBigBy(
      await program(
        'import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ id, name }) => name === "bad" ? process.exit(1) : parentPort.postMessage({ id, answer: { code: 200 } }));',
      ),
    );
    await assert.rejects(judge("bad", review, catalog), /thread ended/u);
    assert.deepEqual(await judge("good", review, catalog), { code: 200 });
  });

  it("rejects when the thread fails, or runs out of memory, and the process goes on", async () => {
    await assert.rejects(
      judgeBigBy(await program('throw new Error("no way");'))("a", review, catalog),
      /no way/u,
    );
    const hungry = await program("const all = []; for (;;) all.push([all.length]);");
    await assert.rejects(judgeBigBy(hungry)("a", review, catalog), { code: "ERR_WORKER_OUT_OF_MEMORY" });
  });
});
