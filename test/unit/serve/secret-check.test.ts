import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { callerCheck } from "../../../functions/shared/serve/caller-check.ts";
import { sinkToken } from "../../../functions/shared/serve/sink-token.ts";

const [OLD, NEW] = ["0123456789abcdef-old", "0123456789abcdef-new"];

const statusOf = async (asked: ReturnType<typeof callerCheck>, authorization: string | undefined) =>
  (await asked?.(authorization))?.status ?? "in";

describe("the secret that callers share", () => {
  let folder = "";
  let file = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sampledb-secret-"));
    file = join(folder, "secret");
    symlinkSync(join("..data", "secret"), file);
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  let generation = 0;
  /** As the kubelet does: a new folder, and a link to it that is swapped. */
  const mount = (text: string): void => {
    const data = `..${(generation += 1)}`;
    mkdirSync(join(folder, data));
    writeFileSync(join(folder, data, "secret"), text);
    symlinkSync(data, join(folder, "..tmp"));
    renameSync(join(folder, "..tmp"), join(folder, "..data"));
  };
  const check = (env: NodeJS.ProcessEnv = {}) => callerCheck({ CALLER_SECRET_FILE: file, ...env });

  it("is not asked for where no file is named", () => {
    assert.equal(callerCheck({}), undefined);
    assert.equal(callerCheck({ CALLER_SECRET_FILE: "" }), undefined);
  });

  it("lets in whoever sends it, and nobody else", async () => {
    mount(`${OLD}\n`);
    const asked = check();
    for (const right of [`Bearer ${OLD}`, `bearer  ${OLD}`]) assert.equal(await statusOf(asked, right), "in");
    for (const wrong of [
      undefined,
      "",
      OLD,
      `Basic ${OLD}`,
      "Bearer",
      "Bearer ",
      `Bearer ${NEW}`,
      `Bearer ${OLD}x`,
      `Bearer ${OLD.slice(1)}`,
      `Bearer ${OLD} ${OLD}`,
    ])
      assert.equal(await statusOf(asked, wrong), 401, wrong);
  });

  it("is told to nobody", async () => {
    mount(OLD);
    const refusals = [await check()?.("Bearer 0123456789abcdef-x"), await check()?.(undefined)];
    assert.doesNotMatch(JSON.stringify(refusals), /0123456789abcdef/u);
  });

  it("changes without a gap: a new one is taken before it is sent, by the file's first line", async () => {
    mount(OLD);
    const asked = check();
    const sent = sinkToken({ SINK_TOKEN_FILE: file });
    for (const [text, first] of [
      [`${OLD}\n${NEW}\n`, OLD],
      [`${NEW}\n${OLD}`, NEW],
    ] as const) {
      mount(text);
      assert.equal(sent().authorization, `Bearer ${first}`);
      for (const secret of [OLD, NEW]) assert.equal(await statusOf(asked, `Bearer ${secret}`), "in");
    }
    mount(`${NEW}\n`);
    assert.equal(await statusOf(asked, `Bearer ${NEW}`), "in");
    assert.equal(await statusOf(asked, `Bearer ${OLD}`), 401);
  });

  for (const [what, text, says] of [
    ["empty", " \n", /there is no secret in/u],
    ["easy to guess", `${OLD}\nopen-sesame\n`, /less than 16 characters/u],
  ] as const)
    it(`that is ${what} is refused at the start, and lets nobody in later`, async () => {
      mount(text);
      assert.throws(() => check(), says);
      mount(OLD);
      const asked = check();
      mount(text);
      assert.equal(await statusOf(asked, `Bearer ${OLD}`), 503);
      mount(OLD);
      assert.equal(await statusOf(asked, `Bearer ${OLD}`), "in");
    });

  it("in a file that is not there is refused at the start, and lets nobody in later", async () => {
    assert.throws(() => check(), /ENOENT/u);
    mount(OLD);
    const asked = check();
    rmSync(join(folder, "..data"));
    assert.equal(await statusOf(asked, `Bearer ${OLD}`), 503);
  });

  it("is enough where tokens are taken too, and whoever has neither hears the token's refusal", async () => {
    mount(OLD);
    const asked = check({ OIDC_AUDIENCE: "sampledb-functions", OIDC_ISSUER: "https://issuer.invalid" });
    assert.equal(await statusOf(asked, `Bearer ${OLD}`), "in");
    assert.equal(await statusOf(asked, undefined), 401);
  });
});
