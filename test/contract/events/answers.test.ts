import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../../support/until.ts";
import { FunctionsScene } from "./functions-up.ts";
import type { Up } from "./functions-up.ts";
import { everyPlace, HOSTILE } from "./hostile-names.ts";
import { ODDITIES } from "./oddities.ts";
import { callText, readsIfGone } from "./reads.ts";
import { REFUSALS } from "./refusals.ts";
import { send } from "./send.ts";
import type { Got, Message } from "./send.ts";
import { STYLES } from "./wire-styles.ts";

type Sent = Got & { readonly calls: readonly string[] };

/** Sends to one path of a process, and tells what the API server was asked meanwhile. */
const sendTo = async (up: Up, path: string, message: Message): Promise<Sent> => {
  const asked = up.api.requests.length;
  const got = await send(await up.at(path), message);
  return { ...got, calls: up.api.requests.slice(asked).map(callText).toSorted() };
};

describe("every function, on a cluster in which nothing is", () => {
  const scene = new FunctionsScene();

  /** The same to every path of every process, one after the other within a process. */
  const everywhere = async (
    message: Message,
    check: (sent: Sent, up: Up, path: string) => void,
  ): Promise<void> => {
    await Promise.all(
      scene.all.map(async (up) => {
        for (const path of up.paths) check(await sendTo(up, path, message), up, path);
      }),
    );
  };

  const takes = (message: Message, keys: readonly string[]): Promise<void> =>
    everywhere(message, ({ status, type, body, calls }, { name }, path) => {
      const where = `${name} at ${path}: ${body}`;
      assert.equal(status, 204, where);
      assert.equal(body, "", where);
      assert.match(type, /^text\/plain/u, where);
      assert.deepEqual(calls, readsIfGone(name, path, keys), where);
    });

  for (const { name, message, keys } of STYLES) {
    it(`answers 204 to ${name} and looks at ${keys.join(", ") || "nothing"}`, () => takes(message, keys));
  }
  for (const { name, message, keys } of ODDITIES) {
    it(`survives ${name}, and looks at ${keys.length === 0 ? "nothing" : "one SampleDB"}`, () =>
      takes(message, keys));
  }
  for (const { name, message, want, isNoRequest = false } of REFUSALS) {
    it(`answers ${want} to ${name} and looks at nothing`, () =>
      everywhere(message, ({ status, type, body, calls }, up, path) => {
        const where = `${up.name} at ${path}: ${body}`;
        assert.equal(status, want, where);
        if (!isNoRequest) assert.match(type, /^text\/plain/u, where);
        assert.ok(body.length < 300, where);
        assert.deepEqual(calls, [], where);
      }));
  }

  for (const value of HOSTILE) {
    const title = JSON.stringify(value);
    it(`never looks for ${title.length > 60 ? `${title.slice(0, 60)}…` : title}, wherever it stands`, async () => {
      await Promise.all(
        scene.all.map(async (up) => {
          const lines = up.process.logs.length;
          const messages = everyPlace(value);
          for (const message of messages) {
            const { status, calls } = await sendTo(up, "/", message);
            assert.ok([204, 400].includes(status), `${up.name}: ${status}`);
            assert.deepEqual(calls, [], up.name);
          }
          // A line more would be one of the stranger's; one that is no JSON fails where it is read.
          await until(
            "a line of log for each event",
            () => up.process.logs.length >= lines + messages.length,
          );
          assert.equal(up.process.logs.length, lines + messages.length);
        }),
      );
    });
  }

  it("asks the API server for nothing but SampleDBs and labelled children, ever", () => {
    for (const { api } of scene.all) {
      for (const request of api.requests) {
        assert.match(
          callText(request),
          /^GET \/apis?\/[a-z0-9/.]+\/namespaces\/shop\/(sampledbs\/[-a-z0-9]+|[a-z]+ sampledb\.dev\/database=[-a-z0-9]+)$/u,
        );
      }
    }
  });
  it("still works after all of that, with two connections at most and nothing on stderr", async () => {
    const [style] = STYLES;
    if (style !== undefined) await takes(style.message, style.keys);
    for (const { api, process, name } of scene.all) {
      assert.ok(api.connections.most <= 2, `${name}: ${api.connections.most} connections`);
      assert.equal(process.stderr(), "", name);
      assert.ok(
        process.logs.every(({ outcome }) => outcome !== "bug"),
        name,
      );
    }
  });
});
