import { once } from "node:events";
import { Agent, request } from "node:http";
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

/** A request as a sender words it: whole, or byte for byte where no HTTP client would send the like. */
export type Message =
  | {
      readonly method?: string;
      readonly headers: OutgoingHttpHeaders;
      readonly body?: string | Buffer;
      /** How the body is sent: after its length (by itself), in chunks, or not before the server asks for it (`Expect: 100-continue`). */
      readonly framing?: "length" | "chunks" | "on demand";
    }
  | { readonly bytes: (path: string) => string | Buffer };

type Whole = Exclude<Message, { readonly bytes: unknown }>;

export type Got = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Whether the server asked for the body. */
  readonly isAskedFor?: boolean;
};

const textOf = async (answer: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  return text;
};

/** Sends the bytes on a connection of their own and reads what comes back until it is closed. */
const sendBytes = async (url: URL, bytes: string | Buffer, ca: string | undefined): Promise<Got> => {
  const port = Number(url.port);
  const socket =
    ca === undefined ? connect(port, url.hostname) : connectTls({ port, host: url.hostname, ca });
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/u.exec(head)?.[1] ?? 0),
    type: /^content-type: (.*)$/imu.exec(head)?.[1] ?? "",
    body,
  };
};

const headersOf = ({ headers, body = "", framing = "length" }: Whole): OutgoingHttpHeaders => {
  if (framing === "length") return { "content-length": Buffer.byteLength(body), ...headers };
  const { "content-length": _length, ...rest } = headers;
  if (framing === "chunks") return { ...rest, "transfer-encoding": "chunked" };
  return { ...rest, "content-length": Buffer.byteLength(body), expect: "100-continue" };
};

/** Writes the body in the way that the message asks for. Gives whether the server has asked for it. */
const write = (outgoing: ClientRequest, { body = "", framing }: Whole): (() => boolean) => {
  let isAskedFor = false;
  outgoing.once("continue", () => {
    isAskedFor = true;
    outgoing.end(body);
  });
  if (framing === "on demand") outgoing.flushHeaders();
  else if (framing === "chunks") {
    outgoing.write(body.slice(0, body.length / 2));
    outgoing.end(body.slice(body.length / 2));
  } else outgoing.end(body);
  return () => isAskedFor;
};

/** Another protocol (101) is an answer too. */
const answerTo = async (outgoing: ClientRequest): Promise<IncomingMessage> => {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const [answer]: IncomingMessage[] = await Promise.race([
      once(outgoing, "response", { signal }),
      once(outgoing, "upgrade", { signal }),
    ]);
    if (answer === undefined) throw new Error("there was no answer");
    return answer;
  } finally {
    stop.abort();
  }
};

/** Posts to `url` on a connection of its own, over TLS where `ca` (PEM) is given, and reads the answer whole. */
export const send = async (url: URL, message: Message, ca?: string): Promise<Got> => {
  if ("bytes" in message) return sendBytes(url, message.bytes(url.pathname), ca);
  // Kept until the answer is there: a body may be refused before all of it was sent.
  const agent = ca === undefined ? new Agent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ca });
  const outgoing = (ca === undefined ? request : httpsRequest)(url, {
    method: message.method ?? "POST",
    agent,
    // Not what a recorded header says that its host was.
    servername: url.hostname,
    headers: headersOf(message),
  });
  try {
    const isAskedFor = write(outgoing, message);
    const answer = await answerTo(outgoing);
    outgoing.on("error", () => {
      // The rest of a refused body.
    });
    return {
      status: answer.statusCode ?? 0,
      type: answer.headers["content-type"] ?? "",
      body: answer.statusCode === 101 ? "" : await textOf(answer),
      isAskedFor: isAskedFor(),
    };
  } finally {
    agent.destroy();
  }
};
