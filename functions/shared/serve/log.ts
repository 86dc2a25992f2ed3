/** What a log line carries. Never an object's body: a SampleDB is its owner's business. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes one JSON object as one line on stdout, stamped with the time, of level "info" unless it says another; undefined fields are left out. */
export const log = (fields: LogFields): void => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level: "info", ...fields })}\n`);
};
