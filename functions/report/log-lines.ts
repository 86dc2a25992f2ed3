/** Longest text of a log that a condition repeats. */
const LIMIT = 1000;

// Time and process id differ at each crash; a message that changes each time would be written each time.
const PREFIX = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \S+ \[\d+\] (?:\S+ )??(?=[A-Z]+: )/u;

const linesOf = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split("\n")
    .map((line) => line.trim().replace(PREFIX, ""))
    .filter((line) => line !== "");

const shortened = (text: string): string => (text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}…`);

// PostgreSQL logs its own end after the fatal error; our scripts say why they end in one such line.
const TELLING = /^(?:FATAL|PANIC|sampledb):/u;

/** The line of a log that tells why a process ended: PostgreSQL's fatal error, a script's own words, or else the last line. */
export const tellingLine = (log: string | undefined): string | undefined => {
  const lines = linesOf(log);
  const line = lines.findLast((text) => TELLING.test(text)) ?? lines.at(-1);
  return line === undefined ? undefined : shortened(line.replace(/^sampledb: /u, ""));
};

/** Ends a quoted text so that a sentence can follow. */
export const sentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`);

// PostgreSQL points into the statement with a line of its own: in one line the caret has nothing to point at.
const CARET = /^\^$/u;
const QUOTED = /^LINE \d+: (?<statement>.*)$/u;

const joined = (text: string, line: string): string => {
  const statement = QUOTED.exec(line)?.groups?.["statement"];
  if (statement !== undefined) return `${text} (in: ${statement})`;
  return text.endsWith(":") ? `${text} ${line}` : `${sentence(text)} ${line}`;
};

/** What a script of ours says from `marker` on, in one line; undefined where it does not say it. */
export const saidAfter = (log: string | undefined, marker: string): string | undefined => {
  const lines = linesOf(log).filter((line) => !CARET.test(line));
  const first = lines.findIndex((line) => line.startsWith(marker));
  if (first < 0) return undefined;
  const text = lines.slice(first).reduce(joined).slice(marker.length).trim();
  return text === "" ? undefined : shortened(text);
};
