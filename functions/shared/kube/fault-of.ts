import { Fault } from "./fault.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const statusOf = (body: string): Readonly<Record<string, unknown>> => {
  try {
    const status: unknown = JSON.parse(body);
    return isRecord(status) ? status : {};
  } catch {
    return {};
  }
};

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

const sortOf = (code: number): Fault["sort"] => {
  // 401: the token was rotated. 408 and 5xx: the API server or its store. 429: it is overloaded. 3xx: a proxy, not the API server.
  if (code >= 500 || code === 429 || code === 401 || code === 408 || code < 400) return "unavailable";
  return code === 409 ? "conflict" : "refused";
};

/** An unknown path, as of a kind whose definition is not installed (yet), is a 404 too; only a missing object's answer names it. */
const reasonOf = (code: number, status: Readonly<Record<string, unknown>>): string => {
  const details = status["details"];
  if (code === 404 && !(isRecord(details) && "name" in details)) return "NotServed";
  return textOr(status["reason"], "");
};

/**
 * A webhook of somebody else's on one kind of object that does not work (the API server answers 500) or that says no (with whatever code
 * it likes, a conflict's or an overload's among them): the API server itself can be used.
 */
const isWebhooks = (code: number, message: string): boolean =>
  (code === 500 && message.includes("failed calling webhook")) ||
  /admission webhook "[^"]*" denied the request/u.test(message);

/** The Fault that an answer other than 2xx stands for. `what` names the call, e.g. `GET /api/v1/nodes`. */
export const faultOf = (what: string, code: number, body: string): Fault => {
  const status = statusOf(body);
  const message = textOr(status["message"], body.slice(0, 200).trim() || "no message");
  const sort = isWebhooks(code, message) ? "refused" : sortOf(code);
  return new Fault(sort, `${what}: ${code} ${message}`, { code, reason: reasonOf(code, status) });
};

/** Whether a fault says that the object does not exist (and not that its kind is not served). */
export const isMissing = (fault: unknown): boolean =>
  fault instanceof Fault && fault.code === 404 && fault.reason === "NotFound";
