import { failure } from "../../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../../support/fake-api-server.ts";
import { makeClaim, makeJob, makePendingClaim } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import type { Certificates } from "./certificates.ts";

/**
 * What the API server has of shop/orders: nothing; it alone; it and a Job that made what is in the database; it, with a deletionTimestamp. `down`: it answers
 * nothing.
 */
export type State = "empty" | "bare" | "ready" | "leaving" | "down";

const READY: Readonly<Record<string, readonly object[]>> = {
  // Nothing is known of its data yet.
  persistentvolumeclaims: [{ ...makeClaim(), metadata: makePendingClaim().metadata }],
  jobs: [makeJob()],
};

const meta = (name: string, database?: string): object => ({
  metadata: {
    namespace: "shop",
    name,
    ...(database !== undefined && { labels: { "sampledb.dev/database": database } }),
  },
});
/** Of all namespaces: one SampleDB, and a claim that one left which is gone. */
const EVERYWHERE: Readonly<Record<string, readonly object[]>> = {
  sampledbs: [meta("orders")],
  persistentvolumeclaims: [meta("orders-1-1", "orders"), meta("gone-1-1", "gone")],
};

const listed = (path: string, state: State): readonly object[] => {
  const plural = path.split("/").at(-1) ?? "";
  if (!path.includes("/namespaces/")) return state === "empty" ? [] : (EVERYWHERE[plural] ?? []);
  return state === "ready" ? (READY[plural] ?? []) : [];
};

const sampledb = (state: State): FakeAnswer => {
  if (state === "empty") return failure(404, "NotFound", { name: "orders", kind: "sampledbs" });
  const metadata = state === "leaving" ? { deletionTimestamp: "2026-01-02T00:00:00Z" } : {};
  return { body: makeSampleDB({ metadata }) };
};

/** A write is answered with what was written, as if it had been stored; it never is. */
const written = (body: string): FakeAnswer => {
  const { metadata, ...rest }: { metadata?: object } = body === "" ? {} : JSON.parse(body);
  return { body: { ...rest, metadata: { ...metadata, uid: "uid-written", resourceVersion: "2" } } };
};

/** Single objects that `certify` reads; its webhook configurations are not there. */
const ofCertify = (path: string, certificates: Certificates): FakeAnswer | undefined => {
  const stored = { uid: "uid-1", resourceVersion: "1" };
  const secret = certificates.secrets[path.split("/secrets/")[1] ?? ""];
  if (secret !== undefined) return { body: { metadata: stored, data: secret } };
  return /\/(?:clusterroles|validatingadmissionpolicybindings)\//u.test(path)
    ? { body: { metadata: stored } }
    : undefined;
};

/** Of what the functions list; a path that ends in anything else is an object's. */
const PLURALS =
  /\/(?:sampledbs|persistentvolumeclaims|secrets|configmaps|services|statefulsets|jobs|pods|poddisruptionbudgets|events)$/u;

/** An API server that never changes: the same event has the same work done again. */
export const world =
  (state: State, certificates: Certificates) =>
  ({ method, path, query, body }: FakeRequest): FakeAnswer => {
    if (state === "down") return "cut";
    if (query.get("watch") === "true") return { lines: [] };
    if (method !== "GET") return written(body);
    if (path.endsWith("/namespaces/shop/sampledbs/orders")) return sampledb(state);
    const found = ofCertify(path, certificates);
    if (found !== undefined) return found;
    return PLURALS.test(path)
      ? { body: { metadata: { resourceVersion: "1" }, items: listed(path, state) } }
      : failure(404, "NotFound", { name: path.split("/").at(-1) });
  };
