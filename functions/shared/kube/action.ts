import type { Kind, Kinds } from "./kinds.ts";

/** An object to be written: complete identity, no server-set fields. */
export type Writable = {
  [K in Exclude<Kind, "Namespace">]: Kinds[K] & { readonly apiVersion: string; readonly kind: K };
}[Exclude<Kind, "Namespace">];

/** One existing object, as it was read. */
export type Ref = {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
};

/** One step of a plan. A plan is data: nothing happens until it is carried out. */
export type Action =
  /** POST. One that exists is a conflict, but for an Event: that was told already. */
  | { readonly do: "create"; readonly object: Writable }
  /** Server-side apply, forced. `uid` is that of the object as observed; undefined where there was none: one that exists is a conflict. */
  | { readonly do: "apply"; readonly object: Writable; readonly uid: string | undefined }
  /** JSON Merge Patch (RFC 7386), only if the object is still exactly `ref` (uid and resourceVersion). */
  | {
      readonly do: "merge";
      readonly ref: Ref;
      readonly patch: Readonly<Record<string, unknown>>;
      readonly subresource?: "status";
    }
  /** DELETE, only if the object is still exactly `ref`. Gone already is success. */
  | {
      readonly do: "delete";
      readonly ref: Ref;
      readonly propagation: "Background" | "Foreground" | "Orphan";
    };
