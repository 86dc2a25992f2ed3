import { request } from "node:https";
import type { Agent } from "node:https";
import { TLSSocket } from "node:tls";

export type HttpsAnswer = {
  readonly code: number;
  readonly text: string;
  /** Serial number of the certificate that the server showed. */
  readonly serial: string;
};

/** One HTTPS call that trusts `ca` (PEM) alone. `agent` keeps the connection for further calls. */
export const httpsCall = (
  url: string,
  options: { readonly ca: string; readonly body?: string; readonly agent?: Agent },
): Promise<HttpsAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<HttpsAnswer>();
  const { ca, body, agent } = options;
  const call = request(
    url,
    { ca, agent: agent ?? false, method: body === undefined ? "GET" : "POST" },
    (response) => {
      const chunks: Buffer[] = [];
      const serial =
        response.socket instanceof TLSSocket ? response.socket.getPeerCertificate().serialNumber : "";
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), serial }),
      );
      response.on("error", reject);
    },
  );
  call.on("error", reject);
  call.end(body);
  return promise;
};
