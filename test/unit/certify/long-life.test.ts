import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { whole } from "../../support/delivery/chance.ts";
import { LongLife } from "./long-life.ts";

const YEARS = 10;
const TICK_DAYS = 15;
const TICKS = (YEARS * 365) / TICK_DAYS;

const writesTo = (life: LongLife, name: string): number =>
  life.writes.filter((write) => write.endsWith(name)).length;

describe("certify, through ten years of renewals", () => {
  it("never lets the API server meet a certificate that it does not trust", async () => {
    const life = new LongLife();
    for (let tick = 0; tick <= TICKS; tick += 1) {
      assert.ok(await life.run());
      life.pass(TICK_DAYS);
      life.check();
    }
    assert.equal(writesTo(life, "/sampledb-ca"), 3, "a CA each four years");
    assert.equal(writesTo(life, "/sampledb-admission-tls"), 61, "a leaf each 60 days");
    assert.ok(life.looks > 2 * TICKS);
  });

  it("nor when it is killed after each of its writes", async () => {
    const life = new LongLife();
    let kills = 0;
    for (let tick = 0; tick <= TICKS; tick += 1) {
      while (!(await life.run(1))) {
        kills += 1;
        life.pass(1);
        life.check();
      }
      life.pass(TICK_DAYS);
      life.check();
    }
    assert.ok(kills >= 60, `${kills} kills`);
  });

  it("nor when two run at once, one of them killed somewhere", async () => {
    const life = new LongLife();
    let overlapped = 0;
    for (let tick = 0; tick <= TICKS; tick += 1) {
      let call = 0;
      const pauses = (): number => whole(1, `pause ${tick} ${(call += 1)}`, 12);
      const before = life.writes.length;
      await Promise.all([life.run(Infinity, pauses), life.run(whole(1, `writes ${tick}`, 4), pauses)]);
      if (life.writes.length > before + 1) overlapped += 1;
      life.pass(TICK_DAYS);
      life.check();
    }
    assert.ok(overlapped > 0);
  });
});
