import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadAccess } from "./access.ts";

/** Where the kubelet puts them. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Access by the pod's service account: `ca.crt` and `token` in the folder `SERVICE_ACCOUNT_DIR`, or where the kubelet puts them. Read here and not by the client library: it is two files and two variables, and loading the
 * library would make every cold start some 150 ms longer.
 */
export const inClusterAccess =
  (env: NodeJS.ProcessEnv): ReadAccess =>
  async () => {
    const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
    const port = env["KUBERNETES_SERVICE_PORT"] ?? "443";
    const folder = env["SERVICE_ACCOUNT_DIR"] ?? SERVICE_ACCOUNT;
    const [ca, token] = await Promise.all(
      ["ca.crt", "token"].map((file) => readFile(join(folder, file), "utf8")),
    );
    const base = new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`);
    return {
      target: { base, tls: ca === undefined ? {} : { ca } },
      headers: { authorization: `Bearer ${token?.trim() ?? ""}` },
    };
  };
