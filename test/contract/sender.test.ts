import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { describe, it } from "node:test";
import { listen } from "../../functions/shared/serve/listen.ts";
import { sender } from "../../functions/shared/serve/send.ts";
import type { Sender } from "../../functions/shared/serve/send.ts";

/** A sender of one connection to a server that answers as `handler` does, and what ends both. */
const using = async (
  handler: RequestListener,
): Promise<AsyncDisposable & Pick<Sender, "send"> & { readonly arrived: () => Promise<unknown> }> => {
  const server = createServer(handler);
  const { port } = await listen(server, 0);
  const { send, close } = sender({ base: new URL(`http://127.0.0.1:${port}/prefix/`) }, 1);
  return {
    send,
    arrived: () => once(server, "request"),
    [Symbol.asyncDispose]: async () => {
      close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const get = (path: string, signal = new AbortController().signal) => ({ method: "GET", path, signal });

describe("a sender", () => {
  it("puts the base's path before the call's, which is sent as it is", async () => {
    await using to = await using((request, response) => response.end(request.url));
    assert.equal((await to.send(get("/a/../b%2Fc?d=e"))).body, "/prefix/a/../b%2Fc?d=e");
  });

  it("ends a call that waits for a connection as soon as its signal says so", async () => {
    await using to = await using(() => {});
    const arrived = to.arrived();
    const first = new AbortController();
    const holding = assert.rejects(to.send(get("/holds", first.signal)));
    await arrived;
    const second = new AbortController();
    const waiting = to.send(get("/waits", second.signal));
    second.abort(new Error("enough"));
    await assert.rejects(waiting, /enough/u);
    first.abort();
    await holding;
  });

  it("does not begin a call whose signal has said so already", async () => {
    let calls = 0;
    await using to = await using((_, response) => {
      calls += 1;
      response.end();
    });
    await assert.rejects(to.send(get("/", AbortSignal.abort(new Error("too late")))), /too late/u);
    await to.send(get("/"));
    assert.equal(calls, 1);
  });

  it("rejects when the answer is cut off", async () => {
    await using to = await using((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await assert.rejects(to.send(get("/")));
  });

  it("rejects when the signal ends a call whose answer has begun", async () => {
    const controller = new AbortController();
    await using to = await using((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => controller.abort(new Error("enough")));
    });
    await assert.rejects(to.send(get("/", controller.signal)));
  });
});
