import assert from "node:assert/strict";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "node:test";
import { failure } from "../../support/fake-api-server.ts";
import type { FakeAnswer } from "../../support/fake-api-server.ts";
import { until } from "../../support/until.ts";
import { call, callAndLeave } from "./call.ts";
import { FunctionsScene, nothing } from "./functions-up.ts";
import type { Answers, Up } from "./functions-up.ts";
import { socketsOf } from "./sockets-of.ts";

/** Every call fails in another way, and every sixth works. */
const stormy = (): Answers => {
  const faults: readonly FakeAnswer[] = [
    "cut",
    "cut short",
    failure(503, "ServiceUnavailable"),
    failure(401, "Unauthorized"),
    { ...Object(failure(429, "TooManyRequests")), headers: { "retry-after": "60" } },
  ];
  let calls = 0;
  return async (request, name) => {
    calls += 1;
    const fault = faults[calls % 6];
    // Long enough for callers to go away meanwhile.
    await wait(20);
    return fault ?? nothing(request, name);
  };
};

const isRefused = async (up: Up): Promise<boolean> => {
  const { hostname, port } = await up.at("/");
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
};

const bearers = ({ api }: Up, from: number): readonly string[] => [
  ...new Set(api.requests.slice(from).map(({ headers }) => headers.authorization ?? "")),
];
const accepts =
  (...tokens: readonly string[]): Answers =>
  (request, name) =>
    tokens.some((token) => request.headers.authorization === `Bearer ${token}`)
      ? nothing(request, name)
      : failure(401, "Unauthorized");

describe("the process of every function", () => {
  const scene = new FunctionsScene();
  const { each } = scene;

  it("leaves no socket behind, neither to callers that went away nor to an API server that let go", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `orders-${index}`);
    // Nobody called yet: its own are where it listens and what it writes to.
    const own = new Map<Up, number>();
    await each(async (up) => {
      own.set(up, await socketsOf(up.process.pid));
      assert.equal((await call(up)).status, 204);
    });
    scene.answers = stormy();
    await each(async (up) => {
      const half = await Promise.all(names.map((name) => callAndLeave(up, name, "half")));
      const whole = await Promise.all(names.map((name) => callAndLeave(up, name, "whole")));
      const statuses = await Promise.all(names.map(async (name) => (await call(up, name)).status));
      for (const { leave } of [...half, ...whole]) leave();
      assert.deepEqual(
        statuses.filter((status) => status !== 204 && status !== 503),
        [],
        up.name,
      );
    });
    scene.answers = nothing;
    await each(async (up) => {
      assert.equal((await call(up)).status, 204);
      const most = (own.get(up) ?? 0) + 2;
      await until(
        `${up.name} to hold ${most} sockets`,
        async () => (await socketsOf(up.process.pid)) <= most,
      );
      assert.ok(up.api.connections.now <= 2, `${up.name}: ${up.api.connections.now} connections`);
      assert.ok(up.api.connections.total > 2, "the storm broke connections");
    });
  });

  describe("whose token is rotated", () => {
    it("works on with the old one while it is valid, and with the new one after a 401 at the latest", async () => {
      scene.answers = accepts("first");
      await each(async (up) => {
        assert.equal((await call(up)).status, 204);
        assert.deepEqual(bearers(up, 0), ["Bearer first"]);
      });
      await scene.account.rotate("second");
      scene.answers = accepts("first", "second");
      await each(async (up) => assert.equal((await call(up)).status, 204));
      scene.answers = accepts("second");
      await each(async (up) => {
        const first = (await call(up)).status;
        const asked = up.api.requests.length;
        // The one that met the 401 is to be delivered again.
        assert.ok([204, 503].includes(first), `${up.name}: ${first}`);
        assert.equal((await call(up)).status, 204, up.name);
        assert.deepEqual(bearers(up, asked), ["Bearer second"]);
      });
    });
  });

  it("finishes what it was asked before SIGTERM, takes nothing new and exits 0", async () => {
    const { promise: isHealed, resolve: heal } = Promise.withResolvers<undefined>();
    scene.answers = async (request, name) => {
      await isHealed;
      return nothing(request, name);
    };
    await each(async (up) => {
      const asked = up.api.requests.length;
      const answered = call(up, "late");
      await until("the API server to be asked", () => up.api.requests.length > asked);
      up.process.kill("SIGTERM");
      await until("new callers to be refused", () => isRefused(up));
      heal(undefined);
      assert.equal((await answered).status, 204, up.name);
      assert.equal(await up.process.ended, 0, up.name);
      const [first, ...lists] = up.api.requests.slice(asked).map(({ path }) => path);
      assert.ok(first?.endsWith("/sampledbs/late"));
      assert.ok(lists.length <= 3, `${up.name}: ${lists.join(" ")}`);
    });
  });
});
