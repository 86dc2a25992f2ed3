import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey, JWK } from "jose";

/** Claims and header that differ from those of a good token; null leaves a claim out. */
export type TokenChanges = {
  readonly iss?: string;
  readonly aud?: string;
  readonly sub?: string | null;
  /** Seconds from now. */
  readonly exp?: number | null;
  readonly nbf?: number;
  readonly kid?: string;
};

/** An issuer of tokens with one key at a time. */
export type FakeIssuer = {
  readonly issuer: string;
  /** What it publishes. */
  readonly documents: (jwksUri: string) => {
    readonly discovery: Readonly<Record<string, unknown>>;
    readonly keys: { readonly keys: readonly JWK[] };
  };
  /** A token for the audience `sampledb-functions` of `source` in `sampledb-system`, valid for an hour. */
  readonly token: (changes?: TokenChanges) => Promise<string>;
  /** Replaces its key. */
  readonly rotate: () => Promise<void>;
};

type Key = { readonly kid: string; readonly privateKey: CryptoKey; readonly publicJwk: JWK };

const newKey = async (kid: string): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
};

export const SENDER = "system:serviceaccount:sampledb-system:source";

export const fakeIssuer = async (issuer: string): Promise<FakeIssuer> => {
  let serial = 1;
  let key = await newKey("key-1");
  return {
    issuer,
    documents: (jwksUri) => ({
      discovery: { issuer, jwks_uri: jwksUri },
      keys: { keys: [key.publicJwk] },
    }),
    token: ({ iss = issuer, aud = "sampledb-functions", sub = SENDER, exp = 3600, nbf, kid } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss,
        aud: [aud],
        ...(sub !== null && { sub }),
        ...(exp !== null && { exp: now + exp }),
        ...(nbf !== undefined && { nbf: now + nbf }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", kid: kid ?? key.kid })
        .sign(key.privateKey);
    },
    rotate: async () => {
      serial += 1;
      key = await newKey(`key-${serial}`);
    },
  };
};
