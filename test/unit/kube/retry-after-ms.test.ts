import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { retryAfterMs } from "../../../functions/shared/kube/retry-after-ms.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("retryAfterMs", () => {
  const cases = [
    { name: "takes seconds", header: "7", want: 7000 },
    { name: "takes parts of a second", header: " 0.25 ", want: 250 },
    { name: "takes an HTTP date", header: "Thu, 01 Jan 2026 00:00:03 GMT", want: 3000 },
    { name: "waits a second where nothing is said", header: undefined, want: 1000 },
    { name: "waits a second where nothing is understood", header: "soon", want: 1000 },
    { name: "waits a second where the time is over", header: "Wed, 31 Dec 2025 23:59:59 GMT", want: 1000 },
    { name: "waits a second where none is asked for", header: "0", want: 1000 },
    { name: "waits a second where less is asked for", header: "-5", want: 1000 },
  ];
  for (const { name, header, want } of cases) {
    it(name, () => {
      assert.equal(retryAfterMs(header, now), want);
    });
  }
});
