import { CloudEvent, HTTP } from "cloudevents";
import { cut } from "../api/violation.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request carries no event that could be read. `message` may be shown to its sender. */
export class Malformed extends Error {}

const STRUCTURED = "application/cloudevents+json";
const VERSION = "1.0";

const textOf = (headers: Headers, name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};

/** `Application/JSON; charset=UTF-8` is `application/json`: the library knows only the plain form. */
const contentTypeOf = (headers: Headers): string =>
  (textOf(headers, "content-type").split(";")[0] ?? "").trim().toLowerCase();

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new Malformed("The body is not JSON.");
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const structured = (body: string) => {
  const event = parsed(body);
  // The library would make up an id, and take what has no specversion for one of ours.
  if (isRecord(event) && isText(event["id"]) && event["specversion"] === VERSION) {
    // A key stands only in objects, and the library would blow up what is base64 to eight times its size.
    const { data, data_base64: _binary, datacontentencoding: _encoding, ...attributes } = event;
    const known = isRecord(data) ? { ...attributes, data } : attributes;
    return { headers: { "content-type": STRUCTURED }, body: known };
  }
  throw new Malformed(`The body is not a CloudEvent: it has no id, or no specversion ${VERSION}.`);
};

const binary = (headers: Headers, contentType: string, body: string) => {
  if (textOf(headers, "ce-id") === "" || textOf(headers, "ce-specversion") !== VERSION) {
    throw new Malformed(`The request is not a CloudEvent: it has no ce-id, or no ce-specversion ${VERSION}.`);
  }
  const attributes = Object.entries(headers).filter(([name]) => name.startsWith("ce-"));
  const type = contentType === "" ? {} : { "content-type": "application/json" };
  // Parsed here and once: the library's parser quotes what it does not recognise. A key stands only in objects.
  const data = body === "" ? undefined : parsed(body);
  return { headers: { ...Object.fromEntries(attributes), ...type }, body: isRecord(data) ? data : undefined };
};

const isJson = (contentType: string): boolean =>
  contentType === "application/json" ||
  (contentType.endsWith("+json") && !contentType.startsWith("application/cloudevents"));

const messageOf = (headers: Headers, body: string) => {
  const contentType = contentTypeOf(headers);
  if (contentType !== "" && body === "") throw new Malformed("There is a content type, but no body.");
  if (contentType === STRUCTURED) return structured(body);
  // A batch ends here too.
  if (body === "" || isJson(contentType)) return binary(headers, contentType, body);
  throw new Malformed(`The content type is neither application/json nor ${STRUCTURED}.`);
};

const isTick = (headers: Headers, body: string): boolean =>
  body === "" &&
  contentTypeOf(headers) === "" &&
  !Object.keys(headers).some((name) => name.startsWith("ce-"));

/**
 * The CloudEvent in a request, in binary or structured mode; undefined for a bare POST without content type and body, which is how plain
 * timers knock. Throws Malformed.
 */
export const readEvent = (headers: Headers, body: string): CloudEvent<unknown> | undefined => {
  if (isTick(headers, body)) return undefined;
  const message = messageOf(headers, body);
  try {
    const event = HTTP.toEvent(message);
    // False stands for a specversion that the library does not know.
    if (event instanceof CloudEvent && event.validate()) return event;
  } catch (cause) {
    // It may quote megabytes of what was sent.
    const why = cause instanceof Error ? cut(cause.message) : "";
    throw new Malformed(`The request is not a valid CloudEvent: ${why}`, { cause });
  }
  throw new Malformed("The request is not a single CloudEvent.");
};
