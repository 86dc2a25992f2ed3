import { COMPLETE, withValue } from "../../support/complete-sampledb.ts";
import type { Sent } from "../../support/complete-sampledb.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import type { Side } from "./sides.ts";

let made = 0;

const named = (side: Side, object: Sent): Sent => {
  made += 1;
  const apiVersion = side.name === "none" ? "bare.example.com/v1" : "sampledb.dev/v1";
  const metadata = { ...Object(object["metadata"]), name: `orders-${made}`, namespace: side.name };
  return { ...object, apiVersion, metadata };
};

/** What a user writes: the rest is for admission to fill in. */
export const SHORT: Sent = { kind: "SampleDB", spec: { version: "17", storage: { size: "1Gi" } } };

/** What leaves nothing to fill in, and nothing to refuse or to warn of. */
export const WHOLE: Sent = withValue(COMPLETE, "spec.storage.storageClassName", undefined);

/** Milliseconds of each of `count` calls, `atOnce` at a time. */
export const timed = async (
  count: number,
  atOnce: number,
  call: (index: number) => Promise<unknown>,
): Promise<readonly number[]> => {
  const took: number[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const began = performance.now();
      await call(next);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return took;
};

/** Creates an object on a side. */
export const create = (api: PlainApi, side: Side, object: Sent): Promise<unknown> =>
  api.call("POST", side.collection, named(side, object));

/** Changes a label of an object, and nothing of its spec. */
export const relabel = (api: PlainApi, side: Side, name: string, value: number): Promise<unknown> =>
  api.call("PATCH", `${side.collection}/${name}`, { metadata: { labels: { round: `${value}` } } });
