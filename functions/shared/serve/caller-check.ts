import { oidcSettings } from "./oidc-settings.ts";
import { secretCheck } from "./secret-check.ts";

/** Why a request is not worked on. 401: its sender did not prove to be one of those allowed. 503: that could not be judged now. */
export type Refusal = {
  readonly status: 401 | 503;
  /** One sentence that may be shown to the sender. */
  readonly message: string;
  /** For the log alone. */
  readonly why: string;
};

/** Judges the header `authorization` of a request; undefined: its sender may call. Never rejects. */
export type CallerCheck = (authorization: string | undefined) => Promise<Refusal | undefined>;

/** The check of tokens, where the environment asks for it. */
const tokens = (env: NodeJS.ProcessEnv): CallerCheck | undefined => {
  const settings = oidcSettings(env);
  if (settings === undefined) return undefined;
  let check: Promise<CallerCheck> | undefined;
  // Loaded with the first event, so that it costs nothing where it is off.
  const load = async (): Promise<CallerCheck> => {
    const { tokenCheck } = await import("./token-check.ts");
    return tokenCheck(settings, env);
  };
  return async (authorization) => {
    check ??= load();
    return (await check)(authorization);
  };
};

/** Lets those in whom one of the checks lets in; the last one's refusal is told. */
const anyOf =
  (checks: readonly CallerCheck[]): CallerCheck =>
  async (authorization) => {
    let refusal: Refusal | undefined;
    for (const check of checks) {
      refusal = await check(authorization);
      if (refusal === undefined) return undefined;
    }
    return refusal;
  };

/**
 * The check of callers that the environment asks for: a shared secret (`CALLER_SECRET_FILE`), tokens (see oidc-settings.ts), or one of both; undefined:
 * none, anybody who reaches us may call. Throws with a sentence for the user.
 */
export const callerCheck = (env: NodeJS.ProcessEnv): CallerCheck | undefined => {
  const file = env["CALLER_SECRET_FILE"] ?? "";
  const checks = [file === "" ? undefined : secretCheck(file), tokens(env)].filter(
    (check) => check !== undefined,
  );
  return checks.length === 0 ? undefined : anyOf(checks);
};
