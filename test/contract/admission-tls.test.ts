import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { afterEach, beforeEach, describe, it } from "node:test";
import { connect } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import { mutate } from "../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { listenForReviews } from "../../functions/shared/serve/admission-server.ts";
import type { AdmissionServer } from "../../functions/shared/serve/admission-server.ts";
import { tlsFiles } from "../../functions/shared/serve/tls-files.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { httpsCall } from "../support/https-call.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { makeTlsFolder } from "../support/tls-folder.ts";
import type { TlsFolder } from "../support/tls-folder.ts";

const body = JSON.stringify(makeReview(makeSampleDB()));

describe("admission over TLS", () => {
  let folder: TlsFolder;
  let server: AdmissionServer | undefined;
  beforeEach(async () => {
    folder = await makeTlsFolder();
  });
  afterEach(async () => {
    await server?.close();
    folder.remove();
  });

  const listen = async (): Promise<string> => {
    server = await listenForReviews({
      functions: [mutate],
      catalog: () => BUILT_IN_CATALOG,
      port: 0,
      tls: folder.files,
      tlsLookEveryMs: 10,
    });
    return `https://localhost:${server.port}`;
  };

  const serialAt = async (url: string): Promise<string> =>
    (await httpsCall(`${url}/readyz`, { ca: folder.ca })).serial;

  /** What a client that offers `versions` ends up speaking. */
  const protocolWith = async (url: string, versions: SecureContextOptions): Promise<string | null> => {
    const socket = connect({
      host: "localhost",
      port: Number(new URL(url).port),
      ca: folder.ca,
      ...versions,
    });
    await once(socket, "secureConnect");
    const protocol = socket.getProtocol();
    socket.destroy();
    return protocol;
  };

  /** Status of a review's answer, or why there is none. */
  const codeOn = (url: string, agent: Agent): Promise<number | string> =>
    httpsCall(`${url}/mutate`, { ca: folder.ca, body, agent }).then(({ code }) => code, String);

  it("answers reviews with the mounted certificate", async () => {
    await folder.renew();
    const url = await listen();
    const { code, text } = await httpsCall(`${url}/mutate`, { ca: folder.ca, body });
    assert.equal(code, 200);
    assert.match(text, /"allowed":true/u);
  });

  it("speaks TLS 1.3 and nothing older, also with a later certificate", async () => {
    const url = await listen();
    for (const round of [1, 2]) {
      const earlier = round === 1 ? "" : await serialAt(url);
      await folder.renew();
      await waitUntil(async () => (await serialAt(url)) !== earlier || undefined, {
        what: "the certificate",
        timeoutMs: 120_000,
      });
      assert.equal(await protocolWith(url, {}), "TLSv1.3");
      await assert.rejects(protocolWith(url, { maxVersion: "TLSv1.2" }), /alert protocol version/u);
    }
  });

  it("is not ready before the certificate is there, and becomes so by itself", async () => {
    const url = await listen();
    await assert.rejects(serialAt(url));
    await folder.renew();
    const answer = await waitUntil(() => httpsCall(`${url}/readyz`, { ca: folder.ca }), {
      what: "readiness",
      timeoutMs: 300_000,
    });
    assert.equal(answer.code, 200);
  });

  it("takes renewed certificates three times while calls on a kept connection go on", async () => {
    await folder.renew();
    const url = await listen();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const codes: (number | string)[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const old = await serialAt(url);
      await folder.renew();
      const isRenewed = async (): Promise<true | undefined> => {
        codes.push(await codeOn(url, agent));
        return (await serialAt(url)) === old ? undefined : true;
      };
      await waitUntil(isRenewed, { what: "the renewed certificate", timeoutMs: 300_000, everyMs: 5 });
    }
    agent.destroy();
    assert.deepEqual(new Set(codes), new Set([200]));
  });

  it("keeps the last good certificate while a file is half written", async () => {
    await folder.renew();
    const url = await listen();
    const old = await serialAt(url);
    writeFileSync(folder.files.keyFile, "-----BEGIN PRIVATE KEY-----\nhalf");
    for (let call = 0; call < 5; call += 1) assert.equal(await serialAt(url), old);
  });

  it("wants both files or neither", () => {
    assert.equal(tlsFiles({}), undefined);
    assert.throws(() => tlsFiles({ TLS_CERT_FILE: "/a" }), /set both/u);
  });
});
