import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { metrics } from "../../../functions/shared/serve/metrics.ts";

const linesOf = async (counted: ReturnType<typeof metrics>, name: string): Promise<readonly string[]> =>
  (await counted.page()).text.split("\n").filter((line) => line.startsWith(name));

describe("metrics", () => {
  it("show what was counted before the page was first asked for, and after", async () => {
    const counted = metrics();
    const writes = counted.counter("writes_total", "Writes.", ["kind"]);
    writes.inc({ kind: "Secret" });
    writes.inc({ kind: "Secret" }, 2);
    assert.deepEqual(await linesOf(counted, "writes_total"), ['writes_total{kind="Secret"} 3']);
    writes.inc({ kind: "Secret" });
    assert.deepEqual(await linesOf(counted, "writes_total"), ['writes_total{kind="Secret"} 4']);
  });

  it("lose nothing of a process that counts much before the page is asked for", async () => {
    const counted = metrics();
    const seconds = counted.seconds("pass_seconds", "Passes.", ["outcome"], [1, 2]);
    for (let pass = 0; pass < 3000; pass += 1) seconds.observe({ outcome: "settled" }, 1.5);
    assert.deepEqual(await linesOf(counted, "pass_seconds_bucket"), [
      'pass_seconds_bucket{le="1",outcome="settled"} 0',
      'pass_seconds_bucket{le="2",outcome="settled"} 3000',
      'pass_seconds_bucket{le="+Inf",outcome="settled"} 3000',
    ]);
  });

  it("read a gauge when the page is asked for", async () => {
    const counted = metrics();
    let waiting = 1;
    counted.gauge("waiting", "Keys that wait.", () => waiting);
    waiting = 7;
    assert.deepEqual(await linesOf(counted, "waiting"), ["waiting 7"]);
  });

  it("tell of the process itself", async () => {
    assert.equal((await linesOf(metrics(), "process_resident_memory_bytes ")).length, 1);
  });
});
