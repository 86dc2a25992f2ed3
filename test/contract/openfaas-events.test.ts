import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { cronTick } from "../support/openfaas/cron-connector.ts";
import { until } from "../support/until.ts";
import { FunctionsScene } from "./events/functions-up.ts";
import type { Up } from "./events/functions-up.ts";
import { callText, readsIfGone } from "./events/reads.ts";
import { REFUSALS } from "./events/refusals.ts";
import { send } from "./events/send.ts";
import type { Message } from "./events/send.ts";
import { STYLES } from "./events/wire-styles.ts";
import { startOpenFaas } from "./openfaas-scene.ts";
import type { OpenFaas } from "./openfaas-scene.ts";

describe("every function, behind OpenFaaS' gateway and watchdog", () => {
  const scene = new FunctionsScene();
  let openFaas: OpenFaas;

  before(async () => {
    openFaas = await startOpenFaas(
      Object.fromEntries(scene.all.map(({ name, process }) => [name, { upstream: () => process.url() }])),
    );
  });
  after(() => openFaas[Symbol.asyncDispose]());

  /** To every path of every process; within a process one after the other, so that its calls to the API server can be told apart. */
  const everywhere = async (
    message: Message,
    check: (
      got: Awaited<ReturnType<typeof send>>,
      calls: readonly string[],
      where: { up: Up; path: string },
    ) => void,
  ): Promise<void> => {
    await Promise.all(
      scene.all.map(async (up) => {
        for (const path of up.paths) {
          const asked = up.api.requests.length;
          const got = await send(openFaas.at(up.name, path), message);
          check(got, up.api.requests.slice(asked).map(callText).toSorted(), { up, path });
        }
      }),
    );
  };

  for (const { name, message, keys } of STYLES)
    it(`answers 204 with its own content type to ${name} and looks at ${keys.join(", ") || "nothing"}`, () =>
      everywhere(message, ({ status, type, body }, calls, { up, path }) => {
        const where = `${up.name} at ${path}: ${body}`;
        assert.equal(status, 204, where);
        assert.equal(body, "", where);
        assert.match(type, /^text\/plain/u, where);
        assert.deepEqual(calls, readsIfGone(up.name, path, keys), where);
      }));

  for (const { name, message, want } of REFUSALS.filter((each) => "headers" in each.message))
    it(`answers ${want} to ${name} and looks at nothing`, () =>
      everywhere(message, ({ status, type }, calls, { up, path }) => {
        assert.equal(status, want, `${up.name} at ${path}`);
        assert.match(type, /^text\/plain/u);
        assert.deepEqual(calls, []);
      }));

  it("takes cron-connector's empty POST, by the name with its namespace, for a tick", async () => {
    for (const { name } of scene.all) {
      const url = new URL(`/function/${name}.openfaas-fn`, openFaas.gateway.url);
      const { status, type } = await send(url, cronTick());
      assert.equal(status, 204);
      assert.match(type, /^text\/plain/u);
    }
  });

  it("has its 503 passed on, and is called once: nothing between tries again", async () => {
    scene.answers = () => "cut";
    const orders = STYLES.find(({ name }) => name === "source's own event");
    if (orders === undefined) throw new Error("source's event is not among the styles");
    await scene.each(async ({ name, process }) => {
      const events = (): number => process.logs.filter(({ message }) => message === "event").length;
      const handled = events();
      const called = openFaas.gateway.calls.length;
      const { status, type } = await send(openFaas.at(name), orders.message);
      assert.equal(status, 503, name);
      assert.match(type, /^text\/plain/u);
      await until("the event's line", () => events() > handled);
      assert.equal(events(), handled + 1, name);
      const calls = openFaas.gateway.calls.slice(called).filter((call) => call.name === name);
      assert.deepEqual(
        calls.map((call) => call.status),
        [503],
      );
    });
  });
});
