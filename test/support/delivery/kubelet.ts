import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ApiCall, ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { childNames } from "../../../functions/shared/api/child-names.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import { type Change, type Thing, fieldsOf, textAt } from "./change.ts";
import { NODE } from "./ready-node.ts";
import { scriptOf } from "./story.ts";
import { volumeFor } from "./volumes.ts";

type Passwords = { readonly owner: string | undefined; readonly superuser: string | undefined };
/** What is on a volume. The owner's password is there once init ran. */
type Data = { readonly superuser: string | undefined; readonly owner?: string | undefined };
type End = { readonly exitCode: number; readonly message: string };

const LOOK_AGAIN_MS = 20;

const DONE: End = { exitCode: 0, message: "" };

const isEnding = ({ metadata }: Thing): boolean => metadata.deletionTimestamp !== undefined;

/**
 * Plays what a node and a volume provisioner do for the pods and claims of one namespace: databases that answer, init Jobs that end as their
 * script and the passwords on the volume say, pods that take a moment to end, volumes that come and go.
 */
export class Kubelet {
  readonly #api: ApiServer;
  readonly #namespace: string;
  readonly #data = new Map<string, Data>();
  readonly #done = new Set<string>();
  #running = 0;
  readonly failures: string[] = [];

  constructor(api: ApiServer, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  take({ kind, type, thing }: Change): void {
    if (type === "DELETED") return;
    if (kind === "PersistentVolumeClaim") this.#once(thing, "volume", () => this.#provision(thing));
    if (kind === "PersistentVolume") this.#reclaim(thing);
    if (kind !== "Pod") return;
    if (isEnding(thing)) this.#once(thing, "end", () => this.#end(thing));
    else this.#once(thing, "start", () => this.#start(thing));
  }

  /** Each thing of an object at most once; `work` says whether it could be done already. */
  #once({ metadata }: Thing, what: string, work: () => Promise<boolean>): void {
    const id = `${what} ${metadata.uid ?? ""}`;
    if (this.#done.has(id)) return;
    this.#done.add(id);
    void this.#track(async () => {
      if (!(await work())) this.#done.delete(id);
    });
  }

  async #track(work: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await work();
    } catch (cause) {
      // Gone or changed meanwhile: the next change tells.
      const isOvertaken = cause instanceof Fault && [404, 409].includes(cause.code);
      if (!isOvertaken) this.failures.push(String(cause));
    } finally {
      this.#running -= 1;
    }
  }

  async #call(call: Omit<ApiCall, "signal">): Promise<unknown> {
    return JSON.parse(await this.#api.call({ ...call, signal: AbortSignal.timeout(30_000) }));
  }

  async #provision({ metadata, spec, status }: Thing): Promise<boolean> {
    const { annotations = {} } = metadata;
    // The controller asks an external provisioner by this annotation.
    if (annotations["volume.kubernetes.io/storage-provisioner"] === undefined) return false;
    if (status?.["phase"] !== "Pending" || spec?.["volumeName"] !== undefined) return false;
    await this.#call({
      method: "POST",
      path: pathOf("PersistentVolume", {}),
      body: volumeFor(this.#namespace, metadata),
    });
    return true;
  }

  #reclaim(thing: Thing): void {
    const isDoomed =
      thing.status?.["phase"] === "Released" && thing.spec?.["persistentVolumeReclaimPolicy"] === "Delete";
    if (!isDoomed || isEnding(thing)) return;
    this.#once(thing, "reclaim", async () => {
      const { name = "", uid } = thing.metadata;
      await this.#call({
        method: "DELETE",
        path: pathOf("PersistentVolume", { name }),
        body: { preconditions: { uid } },
      });
      return true;
    });
  }

  async #start(pod: Thing): Promise<boolean> {
    const { name = "", uid, labels = {} } = pod.metadata;
    const place = { namespace: this.#namespace, name };
    const isInit = labels[LABEL.role] === "init";
    // No scheduler places a pod whose volume is not there yet.
    if (!isInit) await this.#untilBound(labels[LABEL.database] ?? "", place);
    await this.#call({
      method: "POST",
      path: pathOf("Pod", { ...place, subresource: "binding" }),
      body: {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { ...place, uid },
        target: { apiVersion: "v1", kind: "Node", name: NODE },
      },
    });
    const status = isInit ? await this.#ranInit(pod) : await this.#serves(pod);
    await this.#call({
      method: "PATCH",
      path: pathOf("Pod", { ...place, subresource: "status" }),
      contentType: "application/merge-patch+json",
      body: { metadata: { uid }, status },
    });
    return true;
  }

  async #end({ metadata }: Thing): Promise<boolean> {
    const { name = "", uid } = metadata;
    await this.#call({
      method: "DELETE",
      path: pathOf("Pod", { namespace: this.#namespace, name }),
      body: { gracePeriodSeconds: 0, preconditions: { uid } },
    });
    return true;
  }

  async #serves(pod: Thing): Promise<object> {
    const database = pod.metadata.labels?.[LABEL.database] ?? "";
    const volume = await this.#volumeOf(database);
    // PostgreSQL takes the superuser's password when the volume is blank, and never again.
    if (!this.#data.has(volume))
      this.#data.set(volume, { superuser: (await this.#passwords(database)).superuser });
    const ready = ["PodScheduled", "Initialized", "ContainersReady", "Ready"];
    return { phase: "Running", conditions: ready.map((type) => ({ type, status: "True" })) };
  }

  async #ranInit(pod: Thing): Promise<object> {
    const database = pod.metadata.labels?.[LABEL.database] ?? "";
    const { exitCode, message } = await this.#endOfInit(database);
    const terminated = { exitCode, message, reason: exitCode === 0 ? "Completed" : "Error" };
    const container = { name: "init", ready: false, restartCount: 0, image: "init", imageID: "init" };
    return {
      phase: exitCode === 0 ? "Succeeded" : "Failed",
      containerStatuses: [{ ...container, state: { terminated } }],
    };
  }

  async #endOfInit(database: string): Promise<End> {
    const volume = await this.#volumeOf(database);
    const data = this.#data.get(volume);
    const passwords = await this.#passwords(database);
    const isRefused =
      passwords.superuser !== data?.superuser ||
      (data?.owner !== undefined && passwords.owner !== data.owner);
    if (isRefused) return { exitCode: 65, message: "sampledb: credentials-mismatch: a role cannot log in." };
    this.#data.set(volume, { ...passwords });
    const script = await this.#dataOf("ConfigMap", scriptOf(database));
    return textAt(script, "init.sql") === "broken"
      ? { exitCode: 66, message: "sampledb: init-failed: init.sql: syntax error." }
      : DONE;
  }

  /** Waits for the claim's volume, as long as there is the pod that waits for it. */
  async #untilBound(
    database: string,
    pod: { readonly namespace: string; readonly name: string },
  ): Promise<void> {
    while (!(await this.#isBound(database))) {
      await this.#call({ method: "GET", path: pathOf("Pod", pod) });
      await wait(LOOK_AGAIN_MS);
    }
  }

  async #isBound(database: string): Promise<boolean> {
    try {
      return (await this.#volumeOf(database)) !== "";
    } catch (cause) {
      if (cause instanceof Fault && cause.code === 404) return false;
      throw cause;
    }
  }

  async #volumeOf(database: string): Promise<string> {
    const place = { namespace: this.#namespace, name: childNames(database).claim };
    const claim = await this.#call({ method: "GET", path: pathOf("PersistentVolumeClaim", place) });
    return textAt(claim, "spec", "volumeName") ?? "";
  }

  async #passwords(database: string): Promise<Passwords> {
    const names = childNames(database);
    const [owner, superuser] = await Promise.all(
      [names.secret, names.superuserSecret].map(async (name) =>
        textAt(await this.#dataOf("Secret", name), "password"),
      ),
    );
    return { owner: digest(owner), superuser: digest(superuser) };
  }

  async #dataOf(kind: "Secret" | "ConfigMap", name: string): Promise<unknown> {
    try {
      const thing = await this.#call({
        method: "GET",
        path: pathOf(kind, { namespace: this.#namespace, name }),
      });
      return fieldsOf(thing)["data"];
    } catch (cause) {
      if (cause instanceof Fault && cause.code === 404) return {};
      throw cause;
    }
  }
}

const digest = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : createHash("sha256").update(text).digest("hex");
