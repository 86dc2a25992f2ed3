import { Agent, request } from "node:https";

/** Asks the API server; `body` is sent as server-side apply. Gives the answer's JSON (or text); throws on any status but 2xx. */
export type ApiClient = {
  get(path: string): Promise<unknown>;
  apply(path: string, body: object): Promise<void>;
  close(): void;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A client with one kept-alive connection, for the harness's own few requests. */
export const makeApiClient = (server: string, tls: { ca: string; cert: string; key: string }): ApiClient => {
  const agent = new Agent({ ...tls, keepAlive: true });
  const send = (method: string, path: string, body?: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { accept: "application/json", "content-type": "application/apply-patch+yaml" };
      const sent = request(new URL(path, server), { method, agent, headers, timeout: 60_000 }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("error", reject);
        answer.on("end", () => {
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(parse(text));
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`));
        });
      });
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer in 60 s`)));
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    get: (path) => send("GET", path),
    apply: async (path, body) => {
      await send("PATCH", `${path}?fieldManager=local-cluster&force=true`, body);
    },
    close: () => {
      agent.destroy();
    },
  };
};
