import { randomUUID } from "node:crypto";
import { RESOURCES, type Kind } from "../../../functions/shared/kube/kinds.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import type { Change } from "./change.ts";
import type { Key } from "../../../functions/shared/api/key.ts";
import type { Wire } from "./wire.ts";

/** An event as it is posted, in CloudEvents' binary mode. */
export type WireEvent = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const VERB = { ADDED: "add", MODIFIED: "update", DELETED: "delete" } as const;

const attributes = (type: string, source: string): Readonly<Record<string, string>> => ({
  "ce-specversion": "1.0",
  "ce-id": randomUUID(),
  "ce-type": type,
  "ce-source": source,
  "ce-time": new Date().toISOString(),
});

/** As our own `source` and `resync` send: a key and no body. */
export const ownEvent = ({ namespace, name }: Key, by: "source.changed" | "resync.tick"): WireEvent => ({
  headers: {
    ...attributes(`dev.sampledb.${by}`, "/sampledb.dev"),
    "ce-subject": pathOf("SampleDB", { namespace, name }),
    "ce-kind": "SampleDB",
    "ce-namespace": namespace,
    "ce-name": name,
  },
  body: "",
});

/** As Knative's ApiServerSource sends. */
const knativeEvent = ({ kind, type, thing }: Change, mode: "ref" | "resource"): WireEvent => {
  const { apiVersion } = RESOURCES[kind];
  const { namespace = "", name = "" } = thing.metadata;
  return {
    headers: {
      ...attributes(`dev.knative.apiserver.${mode}.${VERB[type]}`, "https://10.96.0.1:443"),
      "ce-subject": pathOf(kind, { namespace, name }),
      "ce-apiversion": apiVersion,
      "ce-kind": kind,
      "ce-namespace": namespace,
      "ce-name": name,
      "content-type": "application/json",
    },
    body: JSON.stringify(
      mode === "ref" ? { kind, namespace, name, apiVersion } : { ...thing, apiVersion, kind },
    ),
  };
};

/** Their bodies must not travel. */
const SECRET_KINDS: ReadonlySet<Kind> = new Set(["Secret", "ConfigMap"]);

/** No source watches volumes. */
export const isTold = (kind: Kind): boolean => kind !== "PersistentVolume";

/** The event that tells of a change to the SampleDB `key`, as this wire has it. */
export const wireEvent = (change: Change, key: Key, wire: Wire): WireEvent => {
  if (wire === "source") return ownEvent(key, "source.changed");
  const isReference = wire === "reference" || (wire === "as deployed" && SECRET_KINDS.has(change.kind));
  return knativeEvent(change, isReference ? "ref" : "resource");
};
