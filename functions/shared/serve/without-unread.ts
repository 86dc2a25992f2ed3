/** Fields below a place in a review: what is true is cut out. */
type Unread = { readonly [field: string]: Unread | true };

const OBJECT: Unread = {
  metadata: { labels: true, annotations: true, managedFields: true, ownerReferences: true },
};

/** What no function reads or writes, and what most of a large review is. Whoever begins to read one of these takes it off. */
const UNREAD: Unread = { request: { object: OBJECT, oldObject: OBJECT, userInfo: true } };

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d];

/** By byte: how much deeper what follows is nested. */
const STEPS = Int8Array.from({ length: 256 }, (_, byte) =>
  "{[".includes(String.fromCharCode(byte)) ? 1 : "}]".includes(String.fromCharCode(byte)) ? -1 : 0,
);

/** The bytes are no JSON as far as this reader understands it. */
class Unclear extends Error {}

/** A range of bytes: the value of an unread field. */
type Cut = readonly [start: number, end: number];

class Scan {
  readonly #bytes: Buffer;
  readonly cuts: Cut[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Index after the white space at `at`. */
  #space(at: number): number {
    let next = at;
    while ((this.#bytes[next] ?? QUOTE) <= 0x20) next += 1;
    return next;
  }

  /** Index after the string that begins at `at`. */
  #string(at: number): number {
    if (this.#bytes[at] !== QUOTE) throw new Unclear();
    for (let end = this.#bytes.indexOf(QUOTE, at + 1); end > 0; end = this.#bytes.indexOf(QUOTE, end + 1)) {
      let slashes = 0;
      while (this.#bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) return end + 1;
    }
    throw new Unclear();
  }

  /** Index after the value that begins at `at`. */
  #value(at: number): number {
    let depth = 0;
    for (let next = at; next < this.#bytes.length; next += 1) {
      const byte = this.#bytes[next] ?? 0;
      const step = STEPS[byte] ?? 0;
      depth += step;
      if (byte === QUOTE) next = this.#string(next) - 1;
      // What closes or follows the value's own holder; or the value's own last byte.
      if (depth < 0 || (depth === 0 && byte === COMMA)) return next;
      if (depth === 0 && step < 0) return next + 1;
    }
    throw new Unclear();
  }

  /** Index after the member's value that begins at `at`; notes what of it is unread. */
  #member(at: number, unread: Unread | true | undefined): number {
    if (typeof unread === "object" && this.#bytes[at] === OPEN_OBJECT) return this.object(at, unread);
    const end = this.#value(at);
    if (unread === true) this.cuts.push([at, end]);
    return end;
  }

  /** Index after the object that begins at `at`. */
  object(at: number, unread: Unread): number {
    let next = this.#space(at + 1);
    if (this.#bytes[next] === CLOSE_OBJECT) return next + 1;
    for (;;) {
      const end = this.#string(next);
      const name = this.#bytes.toString("latin1", next + 1, end - 1);
      next = this.#space(end);
      if (this.#bytes[next] !== COLON) throw new Unclear();
      const below = Object.hasOwn(unread, name) ? unread[name] : undefined;
      next = this.#space(this.#member(this.#space(next + 1), below));
      if (this.#bytes[next] === CLOSE_OBJECT) return next + 1;
      if (this.#bytes[next] !== COMMA) throw new Unclear();
      next = this.#space(next + 1);
    }
  }
}

const cutsOf = (bytes: Buffer): readonly Cut[] => {
  const scan = new Scan(bytes);
  try {
    if (bytes[0] === OPEN_OBJECT) scan.object(0, UNREAD);
    return scan.cuts;
  } catch (cause) {
    // It is left whole, for the parser to say what is wrong with it.
    if (cause instanceof Unclear) return [];
    throw cause;
  }
};

/**
 * A review (JSON in UTF-8) with null in the place of what no function reads: labels, annotations, managedFields and ownerReferences of both
 * objects. They can be megabytes, of which parsing would make many times as much.
 */
export const withoutUnread = (bytes: Buffer): Buffer => {
  const kept: Buffer[] = [];
  let from = 0;
  for (const [start, end] of cutsOf(bytes)) {
    kept.push(bytes.subarray(from, start), Buffer.from("null"));
    from = end;
  }
  return from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
};
