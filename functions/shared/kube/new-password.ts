import { randomInt } from "node:crypto";

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 32 random characters that need no quoting in a URI, in SQL or in a shell: 190 bits. */
export const newPassword = (): string =>
  Array.from({ length: 32 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
