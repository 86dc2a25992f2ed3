import { once } from "node:events";
import { Agent, request } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";

/** A request as a sender words it: whole, or byte for byte where no HTTP client would send the like. */
export type Message =
  | {
      readonly method?: string;
      readonly headers: OutgoingHttpHeaders;
      readonly body?: string | Buffer;
    }
  | { readonly bytes: (path: string) => string | Buffer };

export type Got = { readonly status: number; readonly type: string; readonly body: string };

const textOf = async (answer: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  return text;
};

/** Sends the bytes on a connection of their own and reads what comes back until it is closed. */
const sendBytes = async (url: URL, bytes: string | Buffer): Promise<Got> => {
  const socket = connect(Number(url.port), url.hostname);
  socket.end(bytes);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/u.exec(head)?.[1] ?? 0),
    type: /^content-type: (.*)$/imu.exec(head)?.[1] ?? "",
    body,
  };
};

/** Posts to `url` on a connection of its own, and reads the answer whole. */
export const send = async (url: URL, message: Message): Promise<Got> => {
  if ("bytes" in message) return sendBytes(url, message.bytes(url.pathname));
  const { method = "POST", headers, body } = message;
  // Kept until the answer is there: a body may be refused before all of it was sent.
  const agent = new Agent({ keepAlive: true });
  const outgoing = request(url, {
    method,
    agent,
    headers: { "content-length": Buffer.byteLength(body ?? ""), ...headers },
  });
  try {
    outgoing.end(body);
    const [answer]: IncomingMessage[] = await once(outgoing, "response");
    if (answer === undefined) throw new Error("there was no answer");
    outgoing.on("error", () => {
      // The rest of a refused body.
    });
    return {
      status: answer.statusCode ?? 0,
      type: answer.headers["content-type"] ?? "",
      body: await textOf(answer),
    };
  } finally {
    agent.destroy();
  }
};
