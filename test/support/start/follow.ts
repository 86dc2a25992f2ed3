import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** One condition of the SampleDB that is followed. */
export type Seen = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
};

/** jsonpath that prints one state's conditions as one line of JSON. */
export const CONDITIONS_PATH = '{.status.conditions}{"\\n"}';

const textOf = (condition: object, field: string): string => {
  const value: unknown = Object.entries(condition).find(([name]) => name === field)?.[1];
  return typeof value === "string" ? value : "";
};

/** The conditions in one printed line; none where there is no status yet. */
export const conditionsOf = (line: string): readonly Seen[] => {
  const parsed: unknown = line.trim() === "" ? [] : JSON.parse(line);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  return list
    .filter((each) => typeof each === "object" && each !== null)
    .map((each) => ({
      type: textOf(each, "type"),
      status: textOf(each, "status"),
      reason: textOf(each, "reason"),
      message: textOf(each, "message"),
    }));
};

const isIn = (list: readonly Seen[], { type, status, reason, message }: Seen): boolean =>
  list.some(
    (each) =>
      each.type === type && each.status === status && each.reason === reason && each.message === message,
  );

/** Lines for the conditions that are new or changed; those that say the same share one. */
export const changesSince = (before: readonly Seen[], after: readonly Seen[]): readonly string[] => {
  const changed = after.filter((condition) => !isIn(before, condition));
  const said = Map.groupBy(changed, ({ reason, message }) => `${reason}: ${message}`);
  return [...said].map(
    ([text, conditions]) => `${conditions.map(({ type, status }) => `${type}=${status}`).join(" ")}  ${text}`,
  );
};

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

/** Follows `kubectl get --watch` lines until an outcome, the deadline, or the abort. Throws when kubectl itself fails. */
export const follow = async (
  watch: { readonly command: readonly string[]; readonly deadlineMs: number; readonly signal: AbortSignal },
  onChange: (line: string) => void,
): Promise<Outcome> => {
  const [program = "", ...args] = watch.command;
  const deadline = AbortSignal.any([watch.signal, AbortSignal.timeout(watch.deadlineMs)]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], signal: deadline });
  let complaint = "";
  child.once("error", (error) => {
    complaint ||= error.message;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint += String(text);
  });
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
  if (!deadline.aborted) throw new Error(`kubectl get --watch ended: ${complaint.trim()}`);
  const last = seen.find((condition) => condition.type === "Ready");
  const why = watch.signal.aborted ? "interrupted" : `not Ready after ${watch.deadlineMs / 1000} s`;
  return { isReady: false, reason: last === undefined ? why : `${why}: ${last.reason}: ${last.message}` };
};
