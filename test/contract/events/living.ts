import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import type { FakeAnswer, FakeRequest } from "../../support/fake-api-server.ts";
import { makeClaim, makeVolume } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import type { Answers, ProcessName } from "./functions-up.ts";

const listed = ({ path }: FakeRequest): FakeAnswer => ({
  body: { metadata: {}, items: path.endsWith("/persistentvolumeclaims") ? [makeClaim()] : [] },
});

/**
 * The API server of a namespace with a paused SampleDB `orders` and its bound claim. It keeps the status that is written, for each process
 * that asks its own, so that a second event finds nothing to do.
 */
export const living = (): Answers => {
  const stored = new Map<ProcessName, SampleDB>();
  return (request, name) => {
    const { method, path, body } = request;
    const sampledb = stored.get(name) ?? makeSampleDB({ spec: { paused: true } });
    if (path.endsWith("/sampledbs/orders/status")) {
      const patch: Pick<SampleDB, "status"> = JSON.parse(body);
      stored.set(name, { ...sampledb, status: { ...sampledb.status, ...patch.status } });
    }
    if (path.includes("/sampledbs/orders")) return { body: stored.get(name) ?? sampledb };
    if (path.startsWith("/api/v1/persistentvolumes/")) return { body: makeVolume() };
    return method === "GET" ? listed(request) : { status: 201 };
  };
};
