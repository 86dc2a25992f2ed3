/** One broken rule. */
export type Violation = {
  /** Field path as kubectl writes it, e.g. `spec.storage.size`. */
  readonly path: string;
  /** The offending value as given; undefined where the field is missing. */
  readonly value: unknown;
  /** What is wrong and what would be right, one sentence without the path. */
  readonly message: string;
};

/** `path: value: message`, the one form in which users read a violation (admission and status alike). */
export const violationText = ({ path, value, message }: Violation): string =>
  value === undefined ? `${path}: ${message}` : `${path}: ${JSON.stringify(value)}: ${message}`;
