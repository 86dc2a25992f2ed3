import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** One condition as `kubectl get --watch` prints it here. */
export type Seen = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
};

/** jsonpath that prints the conditions of one state in one line; tab and newline cannot occur in a reason. */
export const CONDITIONS_PATH =
  '{range .status.conditions[*]}{.type}{"\\t"}{.status}{"\\t"}{.reason}{"\\t"}{.message}{"\\u001f"}{end}{"\\n"}';

export const conditionsOf = (line: string): readonly Seen[] =>
  line
    .split("\u001F")
    .filter((part) => part.includes("\t"))
    .map((part) => {
      const [type = "", status = "", reason = "", ...message] = part.split("\t");
      return { type, status, reason, message: message.join("\t") };
    });

/** Lines for the conditions that are new or changed. */
export const changesSince = (before: readonly Seen[], after: readonly Seen[]): readonly string[] =>
  after
    .filter(
      (condition) =>
        !before.some(
          (old) =>
            old.type === condition.type &&
            old.status === condition.status &&
            old.reason === condition.reason &&
            old.message === condition.message,
        ),
    )
    .map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);

/** How following ended. */
export type Outcome = { readonly isReady: boolean; readonly reason: string };

/** What the conditions say: Ready, stalled (a user must act), or undefined while it goes on. */
export const outcomeOf = (conditions: readonly Seen[]): Outcome | undefined => {
  const find = (type: string): Seen | undefined => conditions.find((condition) => condition.type === type);
  const ready = find("Ready");
  if (ready?.status === "True") return { isReady: true, reason: ready.reason };
  const stalled = find("Stalled");
  return stalled?.status === "True"
    ? { isReady: false, reason: `${stalled.reason}: ${stalled.message}` }
    : undefined;
};

/** Follows `kubectl get --watch` lines until an outcome, the deadline, or the abort. */
export const follow = async (
  watch: { readonly command: readonly string[]; readonly deadlineMs: number; readonly signal: AbortSignal },
  onChange: (line: string) => void,
): Promise<Outcome> => {
  const [program = "", ...args] = watch.command;
  const ended = AbortSignal.any([watch.signal, AbortSignal.timeout(watch.deadlineMs)]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], signal: ended });
  child.once("error", () => undefined);
  let seen: readonly Seen[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const conditions = conditionsOf(line);
      for (const change of changesSince(seen, conditions)) onChange(change);
      seen = conditions;
      const outcome = outcomeOf(conditions);
      if (outcome !== undefined) return outcome;
    }
  } finally {
    child.kill();
  }
  const last = seen.find((condition) => condition.type === "Ready");
  const why = watch.signal.aborted ? "interrupted" : `not Ready after ${watch.deadlineMs / 1000} s`;
  return { isReady: false, reason: last === undefined ? why : `${why}: ${last.reason}: ${last.message}` };
};
