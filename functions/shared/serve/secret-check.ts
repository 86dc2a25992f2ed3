import { createHash, timingSafeEqual } from "node:crypto";
import type { CallerCheck, Refusal } from "./caller-check.ts";
import { fileText } from "./file-text.ts";
import { unauthorized } from "./unauthorized.ts";

/** What is shorter might be guessed. */
const SHORTEST = 16;

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The digests of a file's secrets, one a line. Throws with a sentence for the user. */
const digestsIn = (file: string, text: string): readonly Buffer[] => {
  const secrets = text.split(/\s+/u).filter((line) => line !== "");
  if (secrets.length === 0) throw new Error(`CALLER_SECRET_FILE: there is no secret in ${file}.`);
  if (secrets.some(({ length }) => length < SHORTEST))
    throw new Error(`CALLER_SECRET_FILE: a secret in ${file} has less than ${SHORTEST} characters.`);
  return secrets.map(digestOf);
};

const unverifiable = (cause: unknown): Refusal => ({
  status: 503,
  message: "Callers cannot be verified now.",
  why: cause instanceof Error ? cause.message : String(cause),
});

/**
 * Lets those in who send one of the secrets in `file` as bearer token. One a line, so that a new one can be known here before anybody sends it;
 * read again when the file changes. Throws where there is none now; where that comes later, nobody gets in.
 */
export const secretCheck = (file: string): CallerCheck => {
  const text = fileText(file);
  digestsIn(file, text());
  return (authorization) => {
    try {
      const digests = digestsIn(file, text());
      const given = /^Bearer +(\S+)$/iu.exec(authorization ?? "")?.[1];
      if (given === undefined) return Promise.resolve(unauthorized("there is no secret"));
      // Digests have one length, and comparing them takes one time.
      const same = digests.filter((digest) => timingSafeEqual(digest, digestOf(given)));
      return Promise.resolve(same.length > 0 ? undefined : unauthorized("the secret is another"));
    } catch (cause) {
      return Promise.resolve(unverifiable(cause));
    }
  };
};
