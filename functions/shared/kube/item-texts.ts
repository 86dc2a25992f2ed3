const [QUOTE, BACKSLASH, BRACE, BRACKET] = [0x22, 0x5c, 0x7b, 0x5b];
/** Closing ones are two further. */
const CLOSING = 2;

/** Where the string ends that begins at `start`: the place of its closing quote. */
const endOfString = (json: string, start: number): number => {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
};

/** Calls `found` with the code, the place and the depth outside of each bracket and brace that is not in a string. */
const brackets = (json: string, found: (code: number, at: number, depth: number) => void): void => {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === BRACE || code === BRACKET) {
      found(code, at, depth);
      depth += 1;
    } else if (code === BRACE + CLOSING || code === BRACKET + CLOSING) {
      depth -= 1;
      found(code, at, depth);
    }
  }
};

/** Most of an object's metadata, and of interest to whoever writes it. */
const MANAGED = '"managedFields":';

/**
 * Cuts the JSON of a list, an object with an array of objects in it, into the texts of those objects, their managedFields emptied, and that
 * of the list without them, and parses nothing: parsed one by one, each is gone before the next is made, and what managers wrote about the
 * fields of hundreds never stands in memory. What is no JSON is cut anyhow; parsing the parts tells.
 */
export const itemTexts = (json: string): { readonly items: readonly string[]; readonly rest: string } => {
  const items: string[] = [];
  let isInArray = false;
  let start = 0;
  /** What is left out of the item that is being read; -1: nothing yet. */
  let [from, to] = [-1, -1];
  let rest = "";
  let end = 0;
  const inItem = (code: number, at: number): void => {
    if (code === BRACKET && json.startsWith(MANAGED, at - MANAGED.length)) [from, to] = [at + 1, -1];
    if (code === BRACKET + CLOSING && from !== -1 && to === -1) to = at;
  };
  const aroundItem = (code: number, at: number): void => {
    if (code === BRACE) [start, from, to] = [at, -1, -1];
    if (code !== BRACE + CLOSING) return;
    end = at + 1;
    items.push(to === -1 ? json.slice(start, end) : json.slice(start, from) + json.slice(to, end));
    if (items.length === 1) rest = json.slice(0, start);
  };
  brackets(json, (code, at, depth) => {
    if (depth === 1) isInArray = code === BRACKET;
    if (!isInArray) return;
    if (depth === 2) aroundItem(code, at);
    if (depth === 4) inItem(code, at);
  });
  return { items, rest: rest + json.slice(end) };
};
