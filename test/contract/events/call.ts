import { connect } from "node:net";
import { send } from "./send.ts";
import type { Got } from "./send.ts";
import type { Up } from "./functions-up.ts";

/** The headers of an event about shop/`name`, as `source` sends it. */
export const headersFor = (name: string): Readonly<Record<string, string>> => ({
  "ce-id": "1",
  "ce-specversion": "1.0",
  "ce-type": "dev.sampledb.source.changed",
  "ce-source": "/sampledb.dev",
  "ce-kind": "SampleDB",
  "ce-namespace": "shop",
  "ce-name": name,
});

/** An event about shop/`name`, answered. */
export const call = async (up: Up, name = "orders", path = "/"): Promise<Got> =>
  send(await up.at(path), { headers: headersFor(name) });

/** Somebody who begins to send such an event, whole or (with `part`) with a body of which half is missing, and goes away at `leave`. */
export const callAndLeave = async (
  up: Up,
  name: string,
  part: "whole" | "half",
): Promise<{ readonly leave: () => void }> => {
  const { hostname, port } = await up.at("/");
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {
    // Whoever goes away hears no answer.
  });
  const length = part === "whole" ? 0 : 1000;
  const lines = Object.entries({ host: "a", "content-length": `${length}`, ...headersFor(name) });
  const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join("");
  const type = part === "whole" ? "" : "content-type: application/json\r\n";
  await new Promise<void>((resolve) => {
    socket.write(`POST / HTTP/1.1\r\n${head}${type}\r\n${"{".repeat(length / 2)}`, () => resolve());
  });
  return { leave: () => socket.destroy() };
};
