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

/** Every write that SampleDB's functions asked for, refused ones too, in order. */
export const functionWrites = async (file: string): Promise<readonly AuditEvent[]> =>
  (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line.includes('"userAgent":"sampledb'))
    .map((line): unknown => JSON.parse(line))
    .filter(isAuditEvent)
    .filter(({ verb }) => WRITES.has(verb));

/** `create secrets shop/orders`, for messages and comparisons. */
export const writeText = ({ verb, objectRef }: AuditEvent): string =>
  `${verb} ${objectRef?.resource ?? "?"}${objectRef?.subresource === undefined ? "" : `/${objectRef.subresource}`} ${objectRef?.namespace ?? ""}/${objectRef?.name ?? ""}`;
