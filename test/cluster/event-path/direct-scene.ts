import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { type ApiServer, apiServer } from "../../../functions/shared/kube/api-server.ts";
import { keyOf } from "../../../functions/shared/api/key-of.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import type { ProxiedCall, Verdict } from "../../support/delivery/api-proxy.ts";
import type { Change } from "../../support/delivery/change.ts";
import { Feed } from "../../support/delivery/feed.ts";
import { Instance } from "../../support/delivery/instance.ts";
import type { Letter } from "../../support/delivery/letter.ts";
import { Picture } from "../../support/delivery/picture.ts";
import { PROFILES } from "../../support/delivery/profiles.ts";
import type { Sent } from "../../support/delivery/sending.ts";
import { User } from "../../support/delivery/user.ts";
import { inLines } from "../../support/delivery/ways/lines.ts";
import { isTold, wireEvent } from "../../support/delivery/wire-event.ts";
import { setTimeout as wait } from "node:timers/promises";
import { clusterWithCrd } from "./world.ts";

/** One send of an event: about whom, what was answered (undefined: it goes on), and how long it took, in milliseconds. */
export type Send = { readonly label: string; readonly name: string; answer?: Sent; ms?: number };

export type Place = AsyncDisposable & {
  readonly user: User;
  readonly picture: Picture;
  /** All sends so far. */
  readonly sends: readonly Send[];
};

/** A real API server whose changes go to processes of `reconcile` as Knative's source brings them, in the times of life. */
export class DirectScene {
  readonly #cluster: LocalCluster;
  readonly #api: ApiServer;
  readonly #feed: Feed;

  private constructor(cluster: LocalCluster, api: ApiServer, feed: Feed) {
    this.#cluster = cluster;
    this.#api = api;
    this.#feed = feed;
  }

  static async start(): Promise<DirectScene> {
    const cluster = await clusterWithCrd();
    const api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
    return new DirectScene(cluster, api, await Feed.start(api));
  }

  async stop(): Promise<void> {
    await this.#feed.stop();
    this.#api.close();
    await this.#cluster.stop();
  }

  /** A namespace with a process and a source of its own; `judge` says what becomes of the process's calls to the API server. */
  async place(namespace: string, judge: (call: ProxiedCall) => Verdict): Promise<Place> {
    const access = readAccess({ KUBECONFIG: this.#cluster.kubeconfig });
    const instance = await Instance.start(access, "functions/reconcile/index.ts");
    instance.judgeWith(judge);
    const picture = new Picture();
    const sends: Send[] = [];
    const post = async ({ label, key, event }: Letter): Promise<Sent> => {
      const send: Send = { label, name: key.name };
      sends.push(send);
      const start = performance.now();
      send.answer = await instance.send(event);
      send.ms = performance.now() - start;
      return send.answer;
    };
    const { sending } = PROFILES.direct;
    const parts = { post, seed: 0, pause: (ms: number) => wait(ms), say: () => undefined };
    const way = inLines({ ...parts, isFaulty: () => true, lines: "one a kind", sending });
    let count = 0;
    this.#feed.listen(namespace, (change: Change) => {
      picture.take(change);
      const { kind, type, thing } = change;
      const key = keyOf(kind, thing.metadata);
      if (key === undefined || !isTold(kind)) return;
      count += 1;
      const label = `${key.name} ${kind} ${type} ${count}`;
      way.take({ label, key, line: kind, event: wireEvent(change, key, "as deployed") }, undefined);
    });
    const user = new User(this.#api, namespace);
    await user.settle();
    return {
      user,
      picture,
      sends,
      [Symbol.asyncDispose]: async () => {
        this.#feed.forget(namespace);
        way.forget();
        await instance.stop();
      },
    };
  }
}
