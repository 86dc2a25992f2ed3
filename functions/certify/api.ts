import type { ApiCall, ApiServer } from "../shared/kube/api-server.ts";
import { isMissing } from "../shared/kube/fault-of.ts";
import { Fault } from "../shared/kube/fault.ts";

/** An object as the API server gave it, as far as certify looks at it. */
export type StoredObject = {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  /** Of a Secret: base64. */
  readonly data?: Readonly<Record<string, string>>;
};

/** What certify does in the cluster: REST calls on paths such as `/api/v1/namespaces/shop/secrets/orders`. Each throws a Fault. */
export type Api = {
  /** GET; undefined when there is none. */
  readonly read: (path: string) => Promise<StoredObject | undefined>;
  /** POST to a collection. */
  readonly create: (path: string, body: unknown) => Promise<void>;
  /** JSON Merge Patch; with uid and resourceVersion in `patch`, only if the object is still the one that was read. */
  readonly merge: (path: string, patch: unknown) => Promise<void>;
  /** Forced server-side apply under the field manager `sampledb-certify`. */
  readonly apply: (path: string, body: unknown) => Promise<void>;
  /** DELETE; gone already is success. */
  readonly remove: (path: string) => Promise<void>;
};

const MANAGER = "fieldManager=sampledb-certify";
const CALL_MS = 10_000;

const unlessMissing = async (call: Promise<string>): Promise<string | undefined> => {
  try {
    return await call;
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
};

const isStored = (answer: unknown): answer is StoredObject =>
  typeof answer === "object" && answer !== null && "metadata" in answer;

const stored = (path: string, answer: string | undefined): StoredObject | undefined => {
  if (answer === undefined) return undefined;
  const object: unknown = JSON.parse(answer);
  if (isStored(object)) return object;
  throw new Fault("unavailable", `GET ${path}: the answer is no object`);
};

export const apiOn = (server: ApiServer): Api => {
  const call = (request: Omit<ApiCall, "signal">): Promise<string> =>
    server.call({ ...request, signal: AbortSignal.timeout(CALL_MS) });
  const patch = async (path: string, contentType: string, body: unknown): Promise<void> => {
    await call({ method: "PATCH", path, contentType, body });
  };
  return {
    read: async (path) => stored(path, await unlessMissing(call({ method: "GET", path }))),
    create: async (path, body) => {
      await call({ method: "POST", path: `${path}?${MANAGER}`, contentType: "application/json", body });
    },
    merge: (path, body) => patch(`${path}?${MANAGER}`, "application/merge-patch+json", body),
    apply: (path, body) => patch(`${path}?${MANAGER}&force=true`, "application/apply-patch+yaml", body),
    remove: async (path) => {
      await unlessMissing(call({ method: "DELETE", path }));
    },
  };
};
