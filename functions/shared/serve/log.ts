/** What a log line carries. Never an object's body: a SampleDB is its owner's business. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What JSON lets stand in a string although readers of lines end one there, and terminals obey it. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes one JSON object as one line on stdout, stamped with the time, of level "info" unless it says another; undefined fields are left out. */
export const log = (fields: LogFields): void => {
  const line = JSON.stringify({ time: new Date().toISOString(), level: "info", ...fields });
  process.stdout.write(`${line.replaceAll(UNSAFE, escaped)}\n`);
};
