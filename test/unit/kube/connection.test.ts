import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Access } from "../../../functions/shared/kube/access.ts";
import { connection } from "../../../functions/shared/kube/connection.ts";

/** An access whose token counts how often it was read. */
const counted = () => {
  let reads = 0;
  const read = async (): Promise<Access> => {
    reads += 1;
    return Promise.resolve({
      target: { base: new URL("http://127.0.0.1:1") },
      headers: { authorization: `Bearer ${reads}` },
    });
  };
  const link = connection(read);
  return async () => (await link.current()).access.headers["authorization"];
};

describe("the connection to the API server", () => {
  it("reads its token anew every minute, and no more often", async (t) => {
    let now = 1000;
    t.mock.method(performance, "now", () => now);
    const token = counted();
    assert.equal(await token(), "Bearer 1");
    now += 59_000;
    assert.equal(await token(), "Bearer 1");
    now += 2_000;
    assert.deepEqual(await Promise.all([token(), token()]), ["Bearer 2", "Bearer 2"]);
  });
});
