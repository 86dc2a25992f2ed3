import { ceOverrides } from "./ce-overrides.ts";
import { concurrencyFrom, httpSink, sinkUrls } from "./sink.ts";
import type { Sink } from "./sink.ts";
import { sinkToken } from "./sink-token.ts";

/**
 * Where the environment says that events go: `K_SINK` or `SINK`, with `SINK_TOKEN_FILE`, `K_CE_OVERRIDES` and `CONCURRENCY`. `type` is the event
 * type after `dev.sampledb.`. Throws with a sentence for the user.
 */
export const sinksFrom = (env: NodeJS.ProcessEnv, type: string): readonly Sink[] => {
  const overrides = ceOverrides(env);
  const token = sinkToken(env);
  return sinkUrls(env).map((url) =>
    httpSink(url, type, concurrencyFrom(env), () => ({ ...overrides, ...token() })),
  );
};
