import { readFile } from "node:fs/promises";

/** One request as the API server's audit log tells it. */
export type AuditEvent = {
  readonly verb: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly requestURI: string;
};

const WRITES = new Set(["create", "update", "patch", "delete", "deletecollection"]);

const isAuditEvent = (value: unknown): value is AuditEvent =>
  typeof value === "object" && value !== null && "verb" in value && "requestURI" in value;

/** The lines of the log that are written to their end: the API server may be writing the next one. */
const wholeLines = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, "utf8")).split("\n").slice(0, -1);

const parsed = (lines: readonly string[]): readonly AuditEvent[] =>
  lines.map((line): unknown => JSON.parse(line)).filter(isAuditEvent);

/** Every request so far, in order. The log only grows. */
export const auditEvents = async (file: string): Promise<readonly AuditEvent[]> =>
  parsed(await wholeLines(file));

/** Every write that SampleDB's functions asked for, refused ones too, in order. */
export const functionWrites = async (file: string): Promise<readonly AuditEvent[]> =>
  parsed((await wholeLines(file)).filter((line) => line.includes('"userAgent":"sampledb'))).filter(
    ({ verb }) => WRITES.has(verb),
  );

/** `create secrets shop/orders`, for messages and comparisons. */
export const writeText = ({ verb, objectRef }: AuditEvent): string =>
  `${verb} ${objectRef?.resource ?? "?"}${objectRef?.subresource === undefined ? "" : `/${objectRef.subresource}`} ${objectRef?.namespace ?? ""}/${objectRef?.name ?? ""}`;
