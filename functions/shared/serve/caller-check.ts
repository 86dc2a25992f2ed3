import { oidcSettings } from "./oidc-settings.ts";

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

/** The check of callers that the environment asks for (see oidc-settings.ts); undefined: none, anybody who reaches us may call. */
export const callerCheck = (env: NodeJS.ProcessEnv): CallerCheck | undefined => {
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
