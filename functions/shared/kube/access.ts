import type { Target } from "../serve/send.ts";

/** How the API server is reached and who we are to it, as of now. */
export type Access = { readonly target: Target; readonly headers: Readonly<Record<string, string>> };

/** Reads the access anew: tokens and certificates are rotated under a running process. */
export type ReadAccess = () => Promise<Access>;
