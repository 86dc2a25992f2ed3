/** Where something stands in a file; both count from 1. */
export type Place = { readonly line: number; readonly column: number };

/** One thing to tell of a file. */
export type Finding = Place & {
  /** As the user named it, or below the folder that the user named. */
  readonly file: string;
  readonly severity: "violation" | "warning";
  /** Field path within its object; undefined where it is about the text itself. */
  readonly path: string | undefined;
  /** `path: value: message`, the form in which admission tells it. */
  readonly text: string;
};

const ESCAPED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in one line, without characters that a terminal would obey: field names and file names are a stranger's. */
export const oneLine = (text: string): string =>
  text.replaceAll(
    /\p{Cc}|[\u2028\u2029]/gu,
    (character) =>
      ESCAPED[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
