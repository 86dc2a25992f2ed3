/** Which tokens are taken. */
export type OidcSettings = {
  /** `aud`: for whom the token was made. */
  readonly audience: string;
  /** `iss`, an https URL; undefined: the API server's own. */
  readonly issuer: string | undefined;
  /** `sub`, one of these; empty: anybody's to whom the issuer gives such a token. */
  readonly subjects: ReadonlySet<string>;
};

const listOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

const issuerIn = (issuer: string): string | undefined => {
  if (issuer === "") return undefined;
  if (URL.parse(issuer)?.protocol === "https:") return issuer;
  throw new Error(`OIDC_ISSUER is ${JSON.stringify(issuer)}: it must be an https URL.`);
};

/**
 * `OIDC_AUDIENCE`, `OIDC_ISSUER` and `OIDC_SUBJECTS` (commas between). Undefined where no audience is set: tokens are not asked for. Throws with a
 * sentence for the user.
 */
export const oidcSettings = (env: NodeJS.ProcessEnv): OidcSettings | undefined => {
  const { OIDC_AUDIENCE: audience = "", OIDC_ISSUER: issuer = "", OIDC_SUBJECTS: subjects = "" } = env;
  if (audience !== "") return { audience, issuer: issuerIn(issuer), subjects: new Set(listOf(subjects)) };
  if (issuer === "" && subjects === "") return undefined;
  throw new Error("OIDC_ISSUER or OIDC_SUBJECTS is set without OIDC_AUDIENCE: no token would be checked.");
};
