/** Who takes events. A name that a stranger made up is none of them: metrics and Events may not grow with what strangers send. */
const TAKERS = new Set(["provision", "initialize", "retire", "report", "reconcile"]);

/** What a broker says of an event that nobody took. */
export type Letter = {
  /** The function that it was for; `unknown` where that is not said, or none of ours. */
  readonly to: string;
  /** The HTTP status that was answered last, from 400 on, e.g. `503`; `none` where there was no answer, or none that says so. */
  readonly code: string;
};

/** `http://provision.databases.svc.cluster.local` and `http://reconcile.databases.svc/provision` are both for provision. */
const takerAt = (destination: unknown): string => {
  const url = typeof destination === "string" ? URL.parse(destination) : null;
  if (url === null) return "unknown";
  const [host = ""] = url.hostname.split(".");
  const name = url.pathname === "/" ? host : url.pathname.slice(1);
  return TAKERS.has(name) ? name : "unknown";
};

const codeIn = (given: unknown): string => {
  // In structured mode it may be a number.
  const text = typeof given === "number" ? `${given}` : given;
  return typeof text === "string" && /^[45]\d\d$/u.test(text) ? text : "none";
};

/**
 * Reads the attributes that Knative adds to a dead letter: `knativeerrordest`, the address that did not take it, and `knativeerrorcode`. A broker may leave out
 * either. `knativeerrordata`, the body of the answer, is not looked at.
 */
export const letterOf = (attributes: Readonly<Record<string, unknown>>): Letter => {
  const code = codeIn(attributes["knativeerrorcode"]);
  return { to: takerAt(attributes["knativeerrordest"]), code };
};
