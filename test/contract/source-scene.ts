import { setTimeout as wait } from "node:timers/promises";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import { httpSink } from "../../functions/shared/serve/sink.ts";
import { startSource } from "../../functions/source/source.ts";
import type { SourceOptions } from "../../functions/source/source.ts";
import { fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../support/fake-api-server.ts";

export const labels = { "sampledb.dev/database": "orders" };
export const meta = (name: string, resourceVersion: string) => ({
  metadata: { namespace: "shop", name, resourceVersion },
});
export const event = (type: string, object: object) => ({ type, object });
export const bookmark = (resourceVersion: string) => event("BOOKMARK", { metadata: { resourceVersion } });
export const expired = event("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });

export const isWatch = ({ query }: FakeRequest): boolean => query.get("watch") === "true";
export const isOf =
  (plural: string) =>
  ({ path }: FakeRequest): boolean =>
    path.endsWith(`/${plural}`);
export const listOf = (resourceVersion: string, ...names: readonly string[]): FakeAnswer => ({
  body: { metadata: { resourceVersion }, items: names.map((name) => meta(name, resourceVersion)) },
});
/** An empty list, or a watch in which nothing happens. */
export const quiet = (request: FakeRequest): FakeAnswer => (isWatch(request) ? { lines: [] } : listOf("1"));

/** How long a key rests after its delivery. */
const REST_MS = 100;

/** A source between a fake API server and a fake sink. Waits are cut to a few milliseconds; their lengths are recorded, but for rests. */
export const setUp = async (
  answer: (request: FakeRequest, nth: number) => FakeAnswer,
  sinkAnswer: (name: string, nth: number) => FakeAnswer = () => ({ status: 204 }),
  more: Partial<Pick<SourceOptions, "silenceMs" | "release">> = {},
) => {
  const fake = await fakeApiServer(answer);
  const sink = await fakeApiServer(({ headers }, nth) => sinkAnswer(String(headers["ce-name"]), nth));
  const api = apiServer(fake.readAccess);
  const http = httpSink(new URL(`${sink.url}/function/reconcile`), "source.changed", 4);
  const waits: number[] = [];
  const source = startSource({
    api,
    sinks: [http],
    concurrency: 4,
    silenceMs: 60_000,
    ...more,
    wait: (ms) => {
      if (ms !== REST_MS) waits.push(ms);
      return wait(2);
    },
  });
  return {
    fake,
    sink,
    source,
    waits,
    sent: () =>
      sink.requests.map(({ headers }) => `${String(headers["ce-namespace"])}/${String(headers["ce-name"])}`),
    [Symbol.asyncDispose]: async () => {
      await source.stop();
      api.close();
      http.close();
      await fake[Symbol.asyncDispose]();
      await sink[Symbol.asyncDispose]();
    },
  };
};
