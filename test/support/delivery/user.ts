import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import { FINALIZER } from "../../../functions/shared/api/markers.ts";
import { type Deed, type Gate, scriptOf } from "./story.ts";
import { conditionOf, fieldsOf, textAt } from "./change.ts";
import { childNames } from "../../../functions/shared/api/child-names.ts";
import type { Picture } from "./picture.ts";

const isSaidNow = (picture: Picture, name: string): boolean => {
  const found = picture.get("SampleDB", name);
  return found?.status?.["observedGeneration"] === found?.metadata.generation;
};

const has = (picture: Picture, name: string, type: string, field: string): unknown =>
  conditionOf(picture.get("SampleDB", name), type)?.[field];

/** The claim's age counts in whole seconds, and report tells from it whether a volume was adopted. */
const isOfAnEarlierSecond = (time: string | undefined): boolean =>
  time === undefined || Math.floor(Date.now() / 1000) > Date.parse(time) / 1000;

const isGone = (picture: Picture, name: string): boolean =>
  picture.get("SampleDB", name) === undefined &&
  isOfAnEarlierSecond(
    picture.get("PersistentVolumeClaim", childNames(name).claim)?.metadata.creationTimestamp,
  );

/** Whether the cluster is as the user waits for it to be. */
export const isOpen = (gate: Gate, picture: Picture, name: string): boolean => {
  const sampledb = picture.get("SampleDB", name);
  const claim = picture.get("PersistentVolumeClaim", childNames(name).claim);
  const open: { readonly [G in Gate]: () => boolean } = {
    "at once": () => true,
    begun: () => picture.childrenOf(name).length > 0,
    bound: () => claim?.status?.["phase"] === "Bound",
    ready: () => has(picture, name, "Ready", "status") === "True" && isSaidNow(picture, name),
    "init failed": () => has(picture, name, "Initialized", "reason") === "InitFailed",
    gone: () => isGone(picture, name),
    "let go": () =>
      sampledb?.metadata.deletionTimestamp !== undefined &&
      !(sampledb.metadata.finalizers ?? []).includes(FINALIZER),
  };
  return open[gate]();
};

/** Carries out what the users of one namespace do, as people with all rights. */
export class User {
  readonly #api: ApiServer;
  readonly #namespace: string;

  constructor(api: ApiServer, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  /** Does it; gives the object as the API server answers it. */
  act(name: string, deed: Deed): Promise<unknown> {
    if (deed.do === "create") return this.#createSampleDB(name, deed);
    if (deed.do === "edit") return this.#patch("SampleDB", name, { spec: deed.spec });
    if (deed.do === "delete") return this.#delete("SampleDB", name);
    if (deed.do === "release") return this.#patch("SampleDB", name, { metadata: { finalizers: [] } });
    if (deed.do === "script") return this.#script(name, deed.text);
    const child = `${name}${deed.child.suffix}`;
    return deed.do === "remove"
      ? this.#delete(deed.child.kind, child)
      : this.#patch(deed.child.kind, child, deed.patch);
  }

  /** Makes the namespace. */
  async settle(): Promise<void> {
    await this.#call("POST", pathOfNamespace(), { metadata: { name: this.#namespace } });
  }

  async #script(name: string, text: string): Promise<unknown> {
    const path = pathOf(
      "ConfigMap",
      { namespace: this.#namespace, name: scriptOf(name) },
      {
        fieldManager: "user",
        force: "true",
      },
    );
    const body = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: scriptOf(name) },
      data: { "init.sql": text },
    };
    return this.#call("PATCH", path, body, "application/apply-patch+yaml");
  }

  #createSampleDB(
    name: string,
    { spec, finalizers }: Extract<Deed, { readonly do: "create" }>,
  ): Promise<unknown> {
    return this.#call("POST", pathOf("SampleDB", { namespace: this.#namespace }), {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      metadata: { name, ...(finalizers === undefined ? {} : { finalizers }) },
      spec,
    });
  }

  #patch(kind: Kind, name: string, patch: object): Promise<unknown> {
    const path = pathOf(kind, { namespace: this.#namespace, name });
    return this.#call("PATCH", path, patch, "application/merge-patch+json");
  }

  #delete(kind: Kind, name: string): Promise<unknown> {
    return this.#call("DELETE", pathOf(kind, { namespace: this.#namespace, name }), {});
  }

  async #call(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: object,
    contentType = "application/json",
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(30_000);
    return JSON.parse(await this.#api.call({ method, path, body, contentType, signal }));
  }
}

const pathOfNamespace = (): string => "/api/v1/namespaces";

/** uid of the object in an answer. */
export const uidIn = (answer: unknown): string => textAt(fieldsOf(answer), "metadata", "uid") ?? "";
