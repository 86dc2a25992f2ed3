import { createHash } from "node:crypto";

/** SHA-256 of texts, as 64 hexadecimal digits; their borders count. */
export const digestOf = (texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex");
