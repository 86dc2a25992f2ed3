import { Hopeless } from "../../support/cluster/wait-until.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer } from "../../support/fake-api-server.ts";
import { until } from "../../support/until.ts";

/** What the sink makes of one delivery: `nth` counts those of that name since the last `forget`, from 1. */
type Reception = (name: string, nth: number) => FakeAnswer | Promise<FakeAnswer>;

/** A sink that remembers which SampleDBs it was told of, in namespace `shop`. */
export type KeySink = AsyncDisposable &
  Pick<FakeApiServer, "url" | "down" | "up"> & {
    /** Names that came since the last `forget`, in order. */
    readonly names: () => readonly string[];
    readonly times: (name: string) => number;
    readonly forget: () => void;
    /** Waits until each name has come since the last `forget`. */
    readonly told: (...names: readonly string[]) => Promise<true>;
    /** What becomes of deliveries from now on; 204 at first. */
    readonly receive: (reception: Reception) => void;
  };

const accept: Reception = () => ({ status: 204 });

/** `crash`: how a sender ended that should not have, which makes waiting hopeless. */
export const keySink = async (crash: () => string | undefined): Promise<KeySink> => {
  let reception = accept;
  let since = new Map<string, number>();
  let names: string[] = [];
  const fake = await fakeApiServer(({ headers }) => {
    const name = String(headers["ce-name"]);
    const nth = (since.get(name) ?? 0) + 1;
    since.set(name, nth);
    names.push(name);
    return reception(name, nth);
  });
  return {
    url: fake.url,
    down: fake.down,
    up: fake.up,
    names: () => names,
    times: (name) => since.get(name) ?? 0,
    forget: () => {
      since = new Map();
      names = [];
    },
    told: (...wanted) =>
      until(
        `the keys of ${wanted.join(", ")}`,
        () => {
          const ended = crash();
          if (ended !== undefined) throw new Hopeless(ended);
          return wanted.every((name) => since.has(name));
        },
        120_000,
      ),
    receive: (how) => {
      reception = how;
    },
    [Symbol.asyncDispose]: fake[Symbol.asyncDispose],
  };
};
