import { keyText } from "../api/key.ts";
import type { Key } from "../api/key.ts";
import type { Action } from "../kube/action.ts";
import type { PassNote, PassOutcome } from "../kube/pass.ts";
import { log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

const kindOf = (action: Action): string =>
  action.do === "create" || action.do === "apply" ? action.object.kind : action.ref.kind;

const DONE = { create: "created", apply: "applied", merge: "changed", delete: "deleted" } as const;

/** E.g. `applied StatefulSet orders-1`, `changed status of SampleDB orders`. */
const wroteText = (action: Action): string => {
  const [kind, name] =
    action.do === "create" || action.do === "apply"
      ? [action.object.kind, action.object.metadata?.name ?? ""]
      : [action.ref.kind, action.ref.name];
  const part = action.do === "merge" && action.subresource !== undefined ? `${action.subresource} of ` : "";
  return `${DONE[action.do]} ${part}${kind} ${name}`;
};

const LEVELS: { readonly [O in PassOutcome]?: string } = { unreadable: "error", overdue: "warning" };

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Tells what happens in passes as log lines and counters. */
export const passNotes = (metrics: Metrics): ((note: PassNote, key: Key) => void) => {
  const writes = metrics.counter("sampledb_writes_total", "Writes carried out.", [
    "function",
    "action",
    "kind",
  ]);
  const refused = metrics.counter("sampledb_refused_writes_total", "Writes that the API server refused.", [
    "function",
  ]);
  const failed = metrics.counter("sampledb_plan_failures_total", "Plans that threw: bugs.", ["function"]);
  return (note, of) => {
    const key = keyText(of);
    switch (note.note) {
      case "wrote": {
        const { by, action } = note;
        writes.inc({ function: by, action: action.do, kind: kindOf(action) });
        log({ message: wroteText(action), key, function: by });
        return;
      }
      case "refused": {
        const { by, write } = note;
        refused.inc({ function: by });
        log({
          level: "warning",
          message: write.message,
          key,
          function: by,
          object: write.object,
          code: write.code,
        });
        return;
      }
      case "plan-failed": {
        failed.inc({ function: note.by });
        const stack = note.cause instanceof Error ? note.cause.stack : undefined;
        log({ level: "error", message: messageOf(note.cause), key, function: note.by, stack });
        return;
      }
      case "cut-short": {
        const level = LEVELS[note.outcome] ?? "info";
        log({ level, message: messageOf(note.cause) || "cut short", key, outcome: note.outcome });
      }
    }
  };
};
