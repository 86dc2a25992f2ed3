import type { IncomingMessage } from "node:http";

/** Names and values, in order; a name may come several times. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** `ce-id` as Go's servers and clients write it: `Ce-Id`. */
const goName = (name: string): string =>
  name.toLowerCase().replaceAll(/(?:^|-)[a-z]/gu, (letter) => letter.toUpperCase());

/** Of one connection alone, or made anew by whoever passes a message on. */
const HOP = new Set(["Connection", "Content-Length", "Host", "Keep-Alive", "Te", "Transfer-Encoding"]);

/** The headers of a message that are passed on, as Go writes them. */
export const passedOn = ({ rawHeaders }: IncomingMessage): HeaderLines =>
  rawHeaders
    .flatMap((name, at) => (at % 2 === 0 ? [[goName(name), rawHeaders[at + 1] ?? ""] as const] : []))
    .filter(([name]) => !HOP.has(name));

/** As Node takes them: an array where a name comes several times. */
export const forNode = (lines: HeaderLines): Record<string, string | string[]> => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of lines) {
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
};
