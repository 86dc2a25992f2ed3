/** Something that stands in the way (`missing`), or that will be noticed later (`warning`). */
export type Finding = {
  readonly level: "missing" | "warning";
  /** What is needed. */
  readonly needed: string;
  /** What was found instead. */
  readonly seen: string;
  /** What to do about it. */
  readonly remedy: string;
};

export const missing = (needed: string, seen: string, remedy: string): Finding => ({
  level: "missing",
  needed,
  seen,
  remedy,
});

export const warning = (needed: string, seen: string, remedy: string): Finding => ({
  level: "warning",
  needed,
  seen,
  remedy,
});

/** A finding in three lines. */
export const findingText = ({ level, needed, seen, remedy }: Finding): string =>
  `${level === "missing" ? "Missing" : "Warning"}: ${needed}\n  found: ${seen}\n  do:    ${remedy}\n`;
