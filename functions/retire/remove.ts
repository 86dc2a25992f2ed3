import type { ObjectMeta } from "../shared/api/sampledb.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { Kind } from "../shared/kube/kinds.ts";

/** Deletes those of the objects that are not being deleted already, each exactly as it was read. */
export const remove = (
  kind: Kind,
  objects: readonly { readonly metadata?: ObjectMeta }[],
): readonly Action[] =>
  objects
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map((object) => ({ do: "delete", ref: refOf(kind, object), propagation: "Background" }));
