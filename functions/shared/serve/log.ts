import { AsyncLocalStorage } from "node:async_hooks";

/** What a log line carries. Never an object's body: a SampleDB is its owner's business. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const context = new AsyncLocalStorage<LogFields>();

/** Every line that `work` logs, however deep, carries `fields` too: this is how lines are joined by key and event id. */
export const withFields = <T>(fields: LogFields, work: () => T): T =>
  context.run({ ...context.getStore(), ...fields }, work);

/** A text of a stranger's for a line: at most 100 characters of it. */
export const short = (text: string): string => text.slice(0, 100);

/** What JSON lets stand in a string although readers of lines end one there, and terminals obey it. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029]/gu;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes one JSON object as one line on stdout, stamped with the time, of level "info" unless it says another; undefined fields are left out. */
export const log = (fields: LogFields): void => {
  const line = { time: new Date().toISOString(), level: "info", ...context.getStore(), ...fields };
  process.stdout.write(`${JSON.stringify(line).replaceAll(UNSAFE, escaped)}\n`);
};
