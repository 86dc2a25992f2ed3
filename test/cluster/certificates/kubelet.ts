import { setTimeout as delay } from "node:timers/promises";
import type { Api, StoredObject } from "../../../functions/certify/api.ts";
import { MountedSecret } from "./mounted-secret.ts";

const textsOf = ({ data }: StoredObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
  );

/** Mounts a Secret as the kubelet of one node does, which looks at it every so often. */
export class Kubelet {
  readonly mounted = new MountedSecret();
  readonly #api: Api;
  readonly #path: string;
  #isEnding = false;
  #version: string | undefined;
  #ended: Promise<void> | undefined;

  constructor(api: Api, path: string) {
    this.#api = api;
    this.#path = path;
  }

  /** Resolves when the Secret, which must be there, is mounted. */
  async start(everyMs: number): Promise<void> {
    await this.#look();
    this.#ended = this.#go(everyMs);
  }

  async #look(): Promise<void> {
    const secret = await this.#api.read(this.#path);
    if (secret === undefined || secret.metadata.resourceVersion === this.#version) return;
    this.mounted.put(textsOf(secret));
    this.#version = secret.metadata.resourceVersion;
  }

  async #go(everyMs: number): Promise<void> {
    while (!this.#isEnding) {
      await delay(everyMs);
      await this.#look();
    }
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
    this.mounted.remove();
  }
}
