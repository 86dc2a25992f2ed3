import { certify } from "../../../functions/certify/certify.ts";
import { issueCa, issueLeaf } from "../../../functions/certify/issue-certificate.ts";
import type { PemPair } from "../../../functions/certify/key-pair.ts";
import { probeAdmission } from "../../../functions/certify/probe-admission.ts";
import { newSecret } from "../../../functions/certify/secrets.ts";
import { serverNames } from "../../../functions/certify/settings.ts";
import type { Settings } from "../../../functions/certify/settings.ts";
import { Killed, mortalApi } from "../../support/mortal-api.ts";
import { NAMESPACE, Scene, SECRETS } from "./scene.ts";

const DAY = 86_400_000;
/** Before the present, which the API server's clock shows. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

/** certify on whatever clock, on a real API server with the overlay. */
export class World {
  readonly scene: Scene;
  readonly #settings: Settings;

  private constructor(scene: Scene) {
    this.scene = scene;
    this.#settings = { namespace: NAMESPACE, service: "admission", port: scene.port, readyTimeout: 120_000 };
  }

  static async start(): Promise<World> {
    const scene = await Scene.start();
    await scene.apply({ paths: ["overlays/kubernetes"] });
    return new World(scene);
  }

  async #store(name: "sampledb-ca" | "sampledb-admission-tls", pair: PemPair): Promise<void> {
    const data = { "tls.crt": pair.certificate, "tls.key": pair.key };
    await this.scene.api.remove(`${SECRETS}/${name}`);
    await this.scene.api.create(SECRETS, newSecret(name, NAMESPACE, data));
  }

  /** A CA that is due ten days before now, and a leaf of it that is due 25 days before now: both stored; certify's own to renew. */
  async storeOld(): Promise<PemPair> {
    const ca = await issueCa(daysAgo(4 * 365 + 10));
    await this.#store("sampledb-ca", ca);
    await this.storeOldLeaf(ca);
    return ca;
  }

  /** In place of the present leaf one of the same kind that was made 85 days before now. */
  async storeOldLeaf(ca: PemPair): Promise<void> {
    const leaf = await issueLeaf(ca, serverNames(this.#settings), daysAgo(85));
    await this.#store("sampledb-admission-tls", leaf);
  }

  /** One run of certify on this clock, killed after so many writes; whether it came to its end. */
  async certify(now: Date, writes = Infinity): Promise<boolean> {
    try {
      await certify({
        api: mortalApi(this.scene.api, writes),
        probe: probeAdmission(this.#settings, `localhost:${this.scene.port}`),
        settings: this.#settings,
        now: () => now,
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        log: () => undefined,
      });
      return true;
    } catch (cause) {
      if (cause instanceof Killed) return false;
      throw cause;
    }
  }
}
