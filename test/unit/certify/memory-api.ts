import assert from "node:assert/strict";
import type { Api, StoredObject } from "../../../functions/certify/api.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";

type Fields = Readonly<Record<string, unknown>>;
type Stored = StoredObject & { readonly webhooks?: readonly Fields[] };

const fieldsOf = (value: unknown): Fields => {
  assert.ok(typeof value === "object" && value !== null);
  return Object.fromEntries(Object.entries(value));
};

/** An API server of a few objects: resource versions, preconditions, "already exists". */
export class MemoryApi implements Api {
  readonly objects = new Map<string, Stored>();
  /** Verb and path of every write that was carried out. */
  readonly writes: string[] = [];
  // The first revision of a store is no object's.
  #version = 1;

  put(path: string, body: unknown, write?: string): void {
    this.#version += 1;
    const fields = fieldsOf(body);
    const uid = this.objects.get(path)?.metadata.uid ?? `uid-${this.#version}`;
    const metadata = { ...fieldsOf(fields["metadata"] ?? {}), uid, resourceVersion: `${this.#version}` };
    this.objects.set(path, { ...fields, metadata });
    if (write !== undefined) this.writes.push(`${write} ${path}`);
  }

  // A moment passes in each call, so that two runs at once interleave.
  async read(path: string): Promise<Stored | undefined> {
    await Promise.resolve();
    return structuredClone(this.objects.get(path));
  }

  async create(collection: string, body: unknown): Promise<void> {
    await Promise.resolve();
    const { name } = fieldsOf(fieldsOf(body)["metadata"]);
    const path = `${collection}/${String(name)}`;
    if (this.objects.has(path)) throw new Fault("conflict", `${path} already exists`, { code: 409 });
    this.put(path, body, "create");
  }

  async merge(path: string, patch: unknown): Promise<void> {
    await Promise.resolve();
    const old = this.objects.get(path);
    const { metadata, data } = fieldsOf(patch);
    const { uid, resourceVersion } = fieldsOf(metadata);
    if (old?.metadata.uid !== uid || old?.metadata.resourceVersion !== resourceVersion)
      throw new Fault("conflict", `${path} has changed`, { code: 409 });
    const merged = Object.entries({ ...old?.data, ...fieldsOf(data) }).filter(([, text]) => text !== null);
    this.put(path, { ...old, data: Object.fromEntries(merged) }, "merge");
  }

  async apply(path: string, body: unknown): Promise<void> {
    await Promise.resolve();
    const { resourceVersion } = fieldsOf(fieldsOf(body)["metadata"]);
    const found = this.objects.get(path)?.metadata.resourceVersion;
    if (resourceVersion !== undefined && (found ?? "1") !== resourceVersion)
      throw new Fault("conflict", `${path} has changed`, { code: 409 });
    this.put(path, body, "apply");
  }

  async remove(path: string): Promise<void> {
    await Promise.resolve();
    if (this.objects.delete(path)) this.writes.push(`remove ${path}`);
  }
}
