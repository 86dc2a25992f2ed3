import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { certify } from "../../../functions/certify/certify.ts";
import type { Api } from "../../../functions/certify/api.ts";
import { Killed, mortalApi } from "../../support/mortal-api.ts";
import { MemoryApi } from "./memory-api.ts";

const SECRETS = "/api/v1/namespaces/shop/secrets";
const LEAF = `${SECRETS}/sampledb-admission-tls`;
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const CONFIGURATIONS = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].map(
  (kind) => `${REGISTRATION}/${kind}/sampledb`,
);
const DAY = 86_400_000;
const START = Date.parse("2026-03-01T12:00:00Z");

const texts = (base64: unknown): readonly X509Certificate[] =>
  (
    Buffer.from(String(base64), "base64")
      .toString()
      .match(/-----BEGIN[^]+?-----END[^-]+-----/gu) ?? []
  ).map((pem) => new X509Certificate(pem));

const isGood = (certificate: X509Certificate, now: number): boolean =>
  certificate.validFromDate.getTime() <= now && now < certificate.validToDate.getTime();

/** An API server, a clock and an admission that may show the stored leaf or, for a while yet, the one before. */
export class LongLife {
  readonly #api = new MemoryApi();
  #now = START;
  #shown: readonly string[] = [];
  #looks = 0;

  constructor() {
    this.#api.put("/apis/rbac.authorization.k8s.io/v1/clusterroles/sampledb-certify", {});
  }

  get writes(): readonly string[] {
    return this.#api.writes;
  }

  get looks(): number {
    return this.#looks;
  }

  /** So many days later; by then admission shows what is stored. */
  pass(days: number): void {
    this.#now += days * DAY;
    this.#shown = this.#shown.slice(-1);
  }

  /** Throws where a configuration that is there does not trust what admission may show. */
  check(): void {
    const stored = this.#api.objects.get(LEAF)?.data?.["tls.crt"];
    if (stored !== undefined && this.#shown.at(-1) !== stored) this.#shown = [...this.#shown, stored];
    for (const path of CONFIGURATIONS) {
      const cas = this.#trustedBy(path);
      if (cas === undefined) continue;
      for (const shown of this.#shown.flatMap((each) => texts(each))) this.#checkCall(path, cas, shown);
    }
  }

  #trustedBy(path: string): readonly X509Certificate[] | undefined {
    const client = this.#api.objects.get(path)?.webhooks?.[0]?.["clientConfig"];
    if (client === undefined) return undefined;
    assert.ok(typeof client === "object" && client !== null && "caBundle" in client);
    return texts(client.caBundle);
  }

  #checkCall(path: string, cas: readonly X509Certificate[], shown: X509Certificate): void {
    this.#looks += 1;
    const day = `day ${(this.#now - START) / DAY}`;
    assert.ok(isGood(shown, this.#now), `${day}: admission shows what is not valid`);
    const trusted = cas.filter((ca) => isGood(ca, this.#now));
    const isTrusted = trusted.some((ca) => shown.checkIssued(ca) && shown.verify(ca.publicKey));
    assert.ok(isTrusted, `${day}: ${path} does not trust what admission shows`);
  }

  /** The API server as one run sees it, whose calls take their time. */
  #apiFor(pauses: () => number): Api {
    const late = async <T>(call: () => Promise<T>): Promise<T> => {
      for (let left = pauses(); left > 0; left -= 1) await setImmediate();
      return call();
    };
    const write = (call: () => Promise<void>): Promise<void> =>
      late(async () => {
        await call();
        this.check();
      });
    const api = this.#api;
    return {
      read: (path) => late(() => api.read(path)),
      create: (path, body) => write(() => api.create(path, body)),
      merge: (path, patch) => write(() => api.merge(path, patch)),
      apply: (path, body) => write(() => api.apply(path, body)),
      remove: (path) => write(() => api.remove(path)),
    };
  }

  /** One run, killed after so many writes; whether it came to its end. */
  async run(writes = Infinity, pauses: () => number = () => 0): Promise<boolean> {
    try {
      await certify({
        api: mortalApi(this.#apiFor(pauses), writes),
        probe: () => Promise.resolve(undefined),
        settings: { namespace: "shop", service: "admission", port: 443, readyTimeout: 300_000 },
        now: () => new Date(this.#now),
        pause: () => Promise.resolve(),
        log: () => undefined,
      });
      return true;
    } catch (cause) {
      if (cause instanceof Killed) return false;
      throw cause;
    }
  }
}
