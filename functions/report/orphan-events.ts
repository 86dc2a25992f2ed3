import { ORPHANED } from "../shared/api/conditions.ts";
import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { Action } from "../shared/kube/action.ts";
import { eventName } from "../shared/kube/event-name.ts";
import { RESOURCES } from "../shared/kube/kinds.ts";
import type { PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import { newEvent } from "../shared/kube/new-event.ts";
import type { Observed } from "../shared/kube/observed.ts";
import { orphansIn } from "../shared/kube/orphans.ts";
import type { Orphan } from "../shared/kube/orphans.ts";

const dataOf = ({ spec }: PersistentVolumeClaim): string => {
  const volume = spec?.volumeName;
  return volume === undefined
    ? "No volume was ever bound to it: it holds no data."
    : `PersistentVolume ${volume} then keeps the data only if its reclaim policy is Retain, as SampleDB sets it (kubectl get pv ${volume}).`;
};

/** What the next SampleDB of that name does with it, and when it may go. */
const FATES: {
  readonly [K in Orphan["kind"]]: { readonly again: string; readonly unless: string };
} = {
  PersistentVolumeClaim: {
    again: "takes it over if version, database and owner role agree",
    unless: "its data is not needed",
  },
  Secret: { again: "takes it over with its password", unless: "no data is left that it opens" },
  StatefulSet: {
    again: "takes it over, and the database goes on",
    unless: "the database is not needed (its claim stays)",
  },
};

const messageOf = ({ kind, object }: Orphan, key: Key): string => {
  const { name = "", namespace = "" } = object.metadata ?? {};
  const { again, unless } = FATES[kind];
  return [
    `SampleDB ${keyText(key)}, which this ${kind} belongs to, is gone, and nothing looks after it any more.`,
    `Create SampleDB ${key.name} again, which ${again}; or, if ${unless}, delete it by hand:`,
    `kubectl delete ${kind.toLowerCase()} ${name} -n ${namespace}.`,
    ...(kind === "PersistentVolumeClaim" ? [dataOf(object)] : []),
  ].join(" ");
};

const nameOf = ({ object }: Orphan, key: Key): string =>
  eventName(key.name, [object.metadata?.uid ?? "", ORPHANED]);

const eventOn = (orphan: Orphan, key: Key, now: Date): Action => {
  const { name = "", namespace = "", uid = "" } = orphan.object.metadata ?? {};
  const { apiVersion } = RESOURCES[orphan.kind];
  return newEvent("report", {
    name: nameOf(orphan, key),
    // By which it is found again in one list.
    labels: { [LABEL.database]: key.name },
    about: { apiVersion, kind: orphan.kind, namespace, name, uid },
    type: "Warning",
    reason: ORPHANED,
    message: messageOf(orphan, key),
    now,
  });
};

/** An Event on each object that outlived its SampleDB and of which none tells yet. Nothing is deleted: that is its owner's decision. */
export const orphanEvents = (
  key: Key,
  objects: Observed<"PersistentVolumeClaim" | "Secret" | "StatefulSet" | "Event">["objects"],
  now: Date,
): readonly Action[] => {
  const told = new Set(objects.Event.map(({ metadata }) => metadata?.name));
  return orphansIn(objects)
    .filter((orphan) => !told.has(nameOf(orphan, key)))
    .map((orphan) => eventOn(orphan, key, now));
};
