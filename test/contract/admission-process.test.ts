import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { startAdmission } from "../support/admission-process.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { until } from "../support/until.ts";

const body = JSON.stringify(makeReview(makeSampleDB({ spec: { database: { name: "confidential" } } })));

const JSON_TYPE = { "content-type": "application/json" };

describe("admission as a process", () => {
  for (const [name, path] of [
    ["mutate", "/"],
    ["validate", "/"],
    ["admission", "/mutate"],
    ["admission", "/validate"],
  ] as const) {
    it(`${name} answers at ${path} and logs one line without the object`, async () => {
      await using running = await startAdmission(name);
      const response = await fetch(`http://127.0.0.1:${running.port}${path}`, {
        method: "POST",
        headers: JSON_TYPE,
        body,
      });
      assert.match(await response.text(), /"allowed":true/u);
      const lines = await until("the review's line", () => {
        const whole = running.output().split("\n").slice(0, -1);
        return whole.some((line) => line.includes('"outcome"')) && whole;
      });
      const objects = lines.map((line): unknown => JSON.parse(line));
      assert.match(
        JSON.stringify(objects.at(-1)),
        /"outcome":"allowed","key":"shop\/orders","uid":"review-1"/u,
      );
      assert.doesNotMatch(running.output(), /confidential/u);
    });
  }

  it("keeps an idle connection longer than the 90 s for which the API server does, and answers with its length", async () => {
    await using running = await startAdmission("admission");
    const address = `http://127.0.0.1:${running.port}/mutate`;
    const { headers } = await fetch(address, { method: "POST", headers: JSON_TYPE, body });
    const seconds = Number(
      /^timeout=(?<seconds>\d+)$/u.exec(headers.get("keep-alive") ?? "")?.groups?.["seconds"],
    );
    assert.ok(seconds > 90, `${seconds} s`);
    // Otherwise it would be sent in pieces.
    assert.ok(Number(headers.get("content-length")) > 0);
  });

  it("finishes the review in flight on SIGTERM, takes no new one and exits 0", async () => {
    await using running = await startAdmission("admission");
    const { port } = running;
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `POST /mutate?timeout=300s HTTP/1.1\r\nhost: a\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 10)}`,
    );
    // An idle connection that is kept must not hold up the end.
    const idle = await fetch(`http://127.0.0.1:${port}/healthz`);
    await idle.text();
    const ended = running.end();
    const isRefused = async (): Promise<true | undefined> => {
      const probe = connect(port, "127.0.0.1");
      try {
        await once(probe, "connect");
        return undefined;
      } catch {
        return true;
      } finally {
        probe.destroy();
      }
    };
    await waitUntil(isRefused, { what: "the end of listening", timeoutMs: 120_000, everyMs: 5 });
    socket.write(body.slice(10));
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*"allowed":true/u);
    assert.equal(await ended, 0);
  });
});
