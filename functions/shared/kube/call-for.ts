import type { Action, Ref } from "./action.ts";
import type { ApiCall } from "./api-server.ts";
import { pathOf } from "./path-of.ts";

type Verb<D extends Action["do"]> = Extract<Action, { readonly do: D }>;
type Unsent = Omit<ApiCall, "signal">;

const placeOf = (ref: Ref) => ({ namespace: ref.namespace, name: ref.name });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const createCall = ({ object }: Verb<"create">, manager: string): Unsent => ({
  method: "POST",
  path: pathOf(object.kind, { namespace: object.metadata?.namespace }, { fieldManager: manager }),
  body: object,
});

/**
 * No object has it (the store's first revision is never an object's), so an apply with it makes the object or, where there is one, is a
 * conflict. Without it a forced apply would take over what somebody else called by that name.
 */
const NEVER_A_VERSION = "1";

const applyCall = ({ object, uid }: Verb<"apply">, manager: string): Unsent => {
  const { kind, metadata } = object;
  const place = { namespace: metadata?.namespace, name: metadata?.name ?? "" };
  return {
    method: "PATCH",
    path: pathOf(kind, place, { fieldManager: manager, force: "true" }),
    contentType: "application/apply-patch+yaml",
    // With a uid an apply cannot revive what was deleted since it was read.
    body: {
      ...object,
      metadata: { ...metadata, ...(uid === undefined ? { resourceVersion: NEVER_A_VERSION } : { uid }) },
    },
  };
};

const mergeCall = ({ ref, patch, subresource }: Verb<"merge">, manager: string): Unsent => {
  const place = { ...placeOf(ref), ...(subresource === undefined ? {} : { subresource }) };
  const { uid, resourceVersion } = ref;
  const given = isRecord(patch["metadata"]) ? patch["metadata"] : {};
  return {
    method: "PATCH",
    path: pathOf(ref.kind, place, { fieldManager: manager }),
    contentType: "application/merge-patch+json",
    // The preconditions travel in the body: the API server compares them with what it has.
    body: { ...patch, metadata: { ...given, uid, resourceVersion } },
  };
};

const deleteCall = ({ ref, propagation }: Verb<"delete">): Unsent => ({
  method: "DELETE",
  path: pathOf(ref.kind, placeOf(ref)),
  body: {
    preconditions: { uid: ref.uid, resourceVersion: ref.resourceVersion },
    propagationPolicy: propagation,
  },
});

/** The call that carries out an action under the field manager `manager`. */
export const callFor = (action: Action, manager: string): Unsent => {
  if (action.do === "create") return createCall(action, manager);
  if (action.do === "apply") return applyCall(action, manager);
  if (action.do === "merge") return mergeCall(action, manager);
  return deleteCall(action);
};
