import { createReadStream } from "node:fs";

/** Far more than all manifests of a cluster, and read in seconds. */
const MAX_MIB = 16;

/** Why a file or a folder cannot be used; the message names neither. */
export class Unusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unusable";
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read",
  EPERM: "may not be read",
  EISDIR: "is a folder",
  ENOTDIR: "is no folder",
  ELOOP: "is a link to itself",
};

/** What the operating system said, in a user's words. */
export const unusable = (cause: unknown): Unusable => {
  if (cause instanceof Unusable) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return new Unusable(REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause)));
};

const decoded = (bytes: Buffer): string => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Unusable("is UTF-16: save it as UTF-8");
  if (bytes.includes(0)) throw new Unusable("is binary, not text");
  try {
    // A byte order mark is left out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Unusable("is not UTF-8 text");
  }
};

/** Reads UTF-8 text to its end, at most 16 MiB. Throws Unusable. */
export const readText = async (source: string | AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const stream: AsyncIterable<Buffer> = typeof source === "string" ? createReadStream(source) : source;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_MIB * 2 ** 20) throw new Unusable(`is larger than ${MAX_MIB} MiB`);
    }
  } catch (cause) {
    throw unusable(cause);
  }
  return decoded(Buffer.concat(chunks));
};
