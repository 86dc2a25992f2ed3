/** One broken rule. */
export type Violation = {
  /** Field path as kubectl writes it, e.g. `spec.storage.size`. */
  readonly path: string;
  /** The offending value as given; undefined where the field is missing. */
  readonly value: unknown;
  /** What is wrong and what would be right, one sentence without the path. */
  readonly message: string;
};

const MAX_LENGTH = 80;
const MAX_SHOWN = 20;

/** A text of the user's, at most 80 characters of it. */
export const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;

const label = (holder: object, key: string | number, room: number): string =>
  Array.isArray(holder) ? "" : `${JSON.stringify(String(key).slice(0, room))}:`;

/**
 * JSON of a value: whole, or where it is longer than `room` a beginning of at least that length. Values may be megabytes long, or nested so
 * deeply that JSON.stringify would throw.
 */
const jsonOf = (value: unknown, room: number): string => {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  return typeof value === "object" && value !== null ? jsonOfMembers(value, room) : String(value);
};

const jsonOfMembers = (value: object, room: number): string => {
  const [open = "", close = ""] = Array.isArray(value) ? "[]" : "{}";
  let text = open;
  // One after the other: a list may have a million.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    text += `${text === open ? "" : ","}${label(value, key, room)}`;
    if (text.length < room) text += jsonOf(Reflect.get(value, key), room - text.length);
    if (text.length >= room) return text;
  }
  return text + close;
};

/** `path: value: message`, the one form in which users read a violation (admission and status alike). Long values are cut. */
export const violationText = ({ path, value, message }: Violation): string =>
  value === undefined
    ? `${cut(path)}: ${message}`
    : `${cut(path)}: ${cut(jsonOf(value, MAX_LENGTH + 1))}: ${message}`;

/** Several violations in one line, for a denial's or a condition's message. */
export const violationsText = (violations: readonly Violation[]): string => {
  const more = violations.length - MAX_SHOWN;
  const texts = violations.slice(0, MAX_SHOWN).map(violationText);
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
};
