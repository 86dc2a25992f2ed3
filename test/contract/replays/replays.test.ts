import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import { bundle, deployable } from "../../support/build/bundle.ts";
import { RECORDED } from "../events/recorded.ts";
import { makeServiceAccount } from "../events/service-account.ts";
import { makeCertificates } from "./certificates.ts";
import { QUESTIONS, REPLAYS } from "./requests.ts";
import type { Replay } from "./requests.ts";
import { ROWS } from "./rows.ts";
import type { Row } from "./rows.ts";
import { deploy, WIRES } from "./scene.ts";
import type { Deployed, Ground, Wire } from "./scene.ts";

const names = await deployable();
let ground: Ground;
before(async () => {
  ground = {
    folder: await mkdtemp(join(tmpdir(), "sampledb-replays-")),
    account: await makeServiceAccount("first"),
    certificates: await makeCertificates(),
  };
});
after(async () => {
  await ground.account[Symbol.asyncDispose]();
  await rm(ground.folder, { recursive: true });
});

/** The same over every wire. */
const overEach = async (check: (wire: Wire) => Promise<void>): Promise<void> => {
  for (const wire of WIRES) await check(wire);
};

const replayOf = (name: string): Replay => {
  const found = REPLAYS.find((replay) => replay.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

const replayed = async (deployed: Deployed, row: Row, replay: Replay, wire: Wire): Promise<void> => {
  const { kind, keys, message, query = "" } = replay;
  const { status, does, body } = row.cells[kind];
  const got = await deployed.replay(wire, row.path + query, message);
  const where = `${row.deployable} at ${row.path} over ${wire}: ${got.status} ${got.body}`;
  assert.equal(got.status, status, where);
  assert.deepEqual(got.did, [...new Set(does(keys))].toSorted(), where);
  if (body === undefined) assert.equal(got.body, "", where);
  else assert.match(got.body, body, where);
  // Without a type of its own, OpenFaaS' gateway gives an answer that of the request.
  assert.match(got.type, /^(?:text\/plain|application\/json)/u, where);
  assert.ok(got.body.length < 2000, where);
};

const headersOf = (name: string): readonly string[] => {
  const { message } = replayOf(name);
  return "headers" in message ? Object.keys(message.headers).toSorted() : [];
};

describe("the recorded requests", () => {
  it("are replayed to every deployable function", () => {
    assert.deepEqual([...new Set(ROWS.map((row) => row.deployable))].toSorted(), names);
  });

  it("are replayed all, as they were recorded, but for the length that Node's client sets", () => {
    for (const [name, { headers, body }] of Object.entries(RECORDED)) {
      assert.deepEqual(replayOf(`${name} as recorded`).message, { headers, body }, name);
    }
  });

  it("differ without a Broker by nothing but what it adds", () => {
    assert.deepEqual(
      headersOf("apiserver.ref.add straight from the source"),
      headersOf("apiserver.ref.add.direct-sink as recorded"),
    );
  });
});

for (const name of names)
  describe(`the requests of real senders, to ${name}`, () => {
    const rows = ROWS.filter(({ deployable: of }) => of === name);
    let deployed: Deployed;
    before(async () => {
      // As it is in the image.
      const { file } = await bundle(name, ground.folder);
      deployed = await deploy(file, ground);
    });
    after(() => deployed[Symbol.asyncDispose]());

    for (const replay of REPLAYS) {
      const answers = new Set(rows.map(({ cells }) => cells[replay.kind].status));
      it(`answers ${[...answers].join(" or ")} to ${replay.name}, and does what it is for, over every wire`, () =>
        overEach(async (wire) => {
          for (const row of rows) {
            deployed.become(row.state);
            await replayed(deployed, row, replay, wire);
          }
        }));
    }

    for (const { name: title, path, message, want } of QUESTIONS)
      it(`answers ${want} to ${title}, and does nothing`, () =>
        overEach(async (wire) => {
          const { status, did, type } = await deployed.replay(wire, path, message);
          assert.deepEqual([status, did], [want, []], `over ${wire}`);
          assert.match(type, /^(?:text\/plain|application\/json)/u);
        }));

    it("asks to be called again while it cannot use the API server that it needs, without a word", () =>
      overEach(async (wire) => {
        deployed.become("down");
        for (const { path, cells } of rows)
          for (const replay of [replayOf("source's own event"), replayOf("ping as recorded")]) {
            if (!cells[replay.kind].does(replay.keys).some((call) => call.startsWith("GET"))) continue;
            const { status, body, type } = await deployed.replay(wire, path, replay.message);
            assert.deepEqual([status, body], [503, ""], `at ${path} over ${wire}`);
            assert.match(type, /^text\/plain/u);
          }
      }));

    it("asks for a body that waits for it", async () => {
      const waiting = replayOf("an event that waits to be asked for");
      const row = rows.find(({ cells }) => cells.event.status === 204);
      if (row === undefined) return;
      deployed.become(row.state);
      assert.equal((await deployed.replay("plain", row.path, waiting.message)).isAskedFor, true);
    });

    it("speaks HTTP/1.1, and tells those who would rather have HTTP/2", async () => {
      const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0";
      for (const wire of ["plain", "tls"] as const) {
        const { status } = await deployed.replay(wire, "/", { bytes: () => preface });
        assert.equal(status, 400, wire);
      }
      const { port } = deployed.at("tls", "/");
      const offering = (...ALPNProtocols: string[]) =>
        connect({ port: Number(port), host: "localhost", ca: ground.certificates.ca, ALPNProtocols });
      const both = offering("h2", "http/1.1");
      await once(both, "secureConnect");
      assert.equal(both.alpnProtocol, "http/1.1");
      both.destroy();
      await assert.rejects(once(offering("h2"), "secureConnect"), /no application protocol/u);
    });

    it("did nothing else, lives, and wrote nothing to stderr", async () => {
      assert.deepEqual(deployed.untold(), []);
      for (const { stderr, logs } of deployed.processes) {
        assert.equal(stderr(), "");
        assert.deepEqual(
          logs.filter(({ outcome, level }) => outcome === "bug" || outcome === "failed" || level === "fatal"),
          [],
        );
      }
      for (const wire of WIRES)
        assert.equal((await deployed.replay(wire, "/readyz", { method: "GET", headers: {} })).status, 200);
    });
  });
