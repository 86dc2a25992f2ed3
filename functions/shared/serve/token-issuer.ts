import { apiServer } from "../kube/api-server.ts";
import { readAccess } from "../kube/read-access.ts";

/** Reads one document of an issuer, as `fetch` does. Rejects where there is no whole answer. */
type ReadDocument = (url: URL, signal: AbortSignal) => Promise<Response>;

/** Where tokens come from: its name (`iss`), and where its public keys are read. */
export type TokenIssuer = { readonly issuer: string; readonly keys: URL; readonly read: ReadDocument };

/** As long as a pass has: on a busy node no read is quick. */
export const READ_MS = 8000;
const DISCOVERY = "/.well-known/openid-configuration";
/** Where every API server serves its keys, whatever host its discovery document names. */
const API_SERVER_KEYS = "/openid/v1/jwks";

const fieldsOf = async (answer: Response): Promise<Readonly<Record<string, unknown>>> => {
  const document: unknown = await answer.json();
  return typeof document === "object" && document !== null ? { ...document } : {};
};

const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`the issuer's discovery document has no ${name}`);
};

/** The API server as issuer: of the tokens of service accounts, which Knative's are too. */
const apiServerIssuer = (env: NodeJS.ProcessEnv): (() => Promise<TokenIssuer>) => {
  const api = apiServer(readAccess(env));
  const read: ReadDocument = async ({ pathname }, signal) =>
    new Response(await api.call({ method: "GET", path: pathname, accept: "*/*", signal }));
  return async () => {
    // The host is of no account: every path is asked of the API server.
    const url = new URL(DISCOVERY, "https://kubernetes.invalid");
    const fields = await fieldsOf(await read(url, AbortSignal.timeout(READ_MS)));
    return { issuer: textIn(fields, "issuer"), keys: new URL(API_SERVER_KEYS, url), read };
  };
};

const fetched: ReadDocument = (url, signal) => fetch(url, { redirect: "error", signal });

const externalIssuer = (issuer: string) => async (): Promise<TokenIssuer> => {
  const url = new URL(`${issuer.replace(/\/$/u, "")}${DISCOVERY}`);
  const answer = await fetched(url, AbortSignal.timeout(READ_MS));
  if (!answer.ok) throw new Error(`${url.href}: ${answer.status}`);
  const fields = await fieldsOf(answer);
  if (textIn(fields, "issuer") !== issuer) throw new Error(`${url.href} is of another issuer`);
  const keys = new URL(textIn(fields, "jwks_uri"));
  if (keys.protocol !== "https:") throw new Error(`${url.href}: jwks_uri is no https URL`);
  return { issuer, keys, read: fetched };
};

/** Finds the issuer: by its own discovery document, or for undefined the API server that `env` leads to. The result rejects where it cannot be read. */
export const findIssuer = (
  issuer: string | undefined,
  env: NodeJS.ProcessEnv,
): (() => Promise<TokenIssuer>) => (issuer === undefined ? apiServerIssuer(env) : externalIssuer(issuer));
