import { readFile } from "node:fs/promises";
import https from "node:https";
import { join } from "node:path";

/** node:https and nothing else: one keep-alive agent, the service account's files read once. Rejects unless the status is 2xx. */
export type BareClient = {
  readonly get: (path: string) => Promise<unknown>;
  readonly apply: (path: string, body: object) => Promise<unknown>;
  readonly close: () => void;
};

type Options = { readonly host: string; readonly port: string; readonly folder: string };

const optionsFrom = (env: NodeJS.ProcessEnv): Options => ({
  host: env["KUBERNETES_SERVICE_HOST"] ?? "",
  port: env["KUBERNETES_SERVICE_PORT"] ?? "",
  folder: env["SERVICE_ACCOUNT_DIR"] ?? "",
});

/** A client of the API server by the same environment that a function in a pod has. */
export const bareClient = async (env: NodeJS.ProcessEnv): Promise<BareClient> => {
  const { host, port, folder } = optionsFrom(env);
  const [ca, token] = await Promise.all([
    readFile(join(folder, "ca.crt")),
    readFile(join(folder, "token"), "utf8"),
  ]);
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });
  const authorization = `Bearer ${token}`;
  const call = (method: string, path: string, body?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { authorization, "content-type": "application/apply-patch+yaml" };
      const request = https.request({ host, port, path, method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  return {
    get: (path) => call("GET", path),
    apply: (path, body) => call("PATCH", path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
};
