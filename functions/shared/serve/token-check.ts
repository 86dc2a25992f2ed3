import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type { CallerCheck, Refusal } from "./caller-check.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { findIssuer, READ_MS } from "./token-issuer.ts";
import type { TokenIssuer } from "./token-issuer.ts";
import { unauthorized } from "./unauthorized.ts";

/** A key that is not known is looked for again, but not more often: anybody can write one into a token. */
const KEYS_AGAIN_MS = 10_000;
const CLOCK_SKEW_S = 30;
/** Signed by a private key. What is signed by a shared one, or not at all, is nobody's. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** The issuer or its keys cannot be read: nothing is known of the token. */
class Unverifiable extends Error {}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const refusalOf = (cause: unknown): Refusal =>
  cause instanceof Unverifiable
    ? { status: 503, message: "Tokens cannot be verified now.", why: cause.message }
    : unauthorized(messageOf(cause));

/** Whether the keys were read, and none of them is the token's. */
const isNoKey = (cause: unknown): boolean =>
  cause instanceof errors.JWKSNoMatchingKey ||
  cause instanceof errors.JWKSMultipleMatchingKeys ||
  cause instanceof errors.JOSENotSupported;

const keysOf = ({ keys, read }: TokenIssuer): JWTVerifyGetKey => {
  const find = createRemoteJWKSet(keys, {
    cooldownDuration: KEYS_AGAIN_MS,
    timeoutDuration: READ_MS,
    [customFetch]: (url, { signal }) => read(new URL(url), signal),
  });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (cause) {
      throw isNoKey(cause) ? cause : new Unverifiable(`keys: ${messageOf(cause)}`, { cause });
    }
  };
};

type Source = { readonly issuer: string; readonly keys: JWTVerifyGetKey };

/** Finds the issuer once; again after a failure. */
const sourceOnce = (find: () => Promise<TokenIssuer>): (() => Promise<Source>) => {
  let source: Promise<Source> | undefined;
  const read = async (): Promise<Source> => {
    try {
      const found = await find();
      return { issuer: found.issuer, keys: keysOf(found) };
    } catch (cause) {
      source = undefined;
      throw new Unverifiable(`issuer: ${messageOf(cause)}`, { cause });
    }
  };
  return () => {
    source ??= read();
    return source;
  };
};

const isAllowed = ({ subjects }: OidcSettings, { sub = "" }: JWTPayload): boolean =>
  subjects.size === 0 || subjects.has(sub);

/** Checks bearer tokens: signature, issuer, audience, time and subject. Tokens and their content are never told, but for the subject to the log. */
export const tokenCheck = (settings: OidcSettings, env: NodeJS.ProcessEnv): CallerCheck => {
  const source = sourceOnce(findIssuer(settings.issuer, env));
  return async (authorization) => {
    const token = /^Bearer +([\w.~+/=-]+)$/iu.exec(authorization ?? "")?.[1];
    if (token === undefined) return unauthorized("there is no bearer token");
    try {
      const { issuer, keys } = await source();
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: settings.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_S,
        requiredClaims: ["exp", "sub"],
      });
      if (isAllowed(settings, payload)) return undefined;
      return unauthorized(`the subject ${JSON.stringify(payload.sub?.slice(0, 100))} is not allowed`);
    } catch (cause) {
      return refusalOf(cause);
    }
  };
};
