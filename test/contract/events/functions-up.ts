import { after, before, beforeEach } from "node:test";
import { failure, fakeApiServer } from "../../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer, FakeRequest } from "../../support/fake-api-server.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { makeServiceAccount } from "./service-account.ts";
import type { ServiceAccount } from "./service-account.ts";

/** Every function that takes events: alone in a process, and as one group. */
const ALONE = ["provision", "initialize", "retire", "report"] as const;
export const PROCESSES = [...ALONE, "reconcile"] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** A process of a function, as in a pod, with an API server of its own that counts what is asked of it. */
export type Up = {
  readonly name: ProcessName;
  /** `/`, and in the group one more a function. */
  readonly paths: readonly string[];
  readonly process: FunctionProcess;
  readonly api: FakeApiServer;
  readonly at: (path: string) => Promise<URL>;
};

export type Answers = (request: FakeRequest, name: ProcessName) => FakeAnswer | Promise<FakeAnswer>;

/** The API server of a namespace in which nothing is. */
export const nothing: Answers = ({ path }) =>
  path.includes("/sampledbs/")
    ? failure(404, "NotFound", { name: "gone", kind: "sampledbs" })
    : { body: { metadata: {}, items: [] } };

const startOne = async (name: ProcessName, account: ServiceAccount, answers: Answers): Promise<Up> => {
  const api = await fakeApiServer((request) => answers(request, name), account.tls);
  const { hostname, port } = new URL(api.url);
  const process = startFunction(name, {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIR: account.folder,
  });
  return {
    name,
    paths: name === "reconcile" ? ["/", ...ALONE.map((each) => `/${each}`)] : ["/"],
    process,
    api,
    at: async (path) => new URL(path, await process.url()),
  };
};

/** Starts every process, all with the same service account. */
const functionsUp = async (answers: Answers) => {
  const account = await makeServiceAccount("first");
  const all = await Promise.all(PROCESSES.map((name) => startOne(name, account, answers)));
  await Promise.all(all.map(({ process }) => process.url()));
  return {
    all,
    account,
    [Symbol.asyncDispose]: async () => {
      for (const { process, api } of all) {
        await process[Symbol.asyncDispose]();
        await api[Symbol.asyncDispose]();
      }
      await account[Symbol.asyncDispose]();
    },
  };
};

/** Every process, for the tests of the calling suite: started before them and ended after them. */
export class FunctionsScene {
  #running: Awaited<ReturnType<typeof functionsUp>> | undefined;
  /** Of their API servers; before each test that of a namespace in which nothing is. */
  answers: Answers = nothing;

  constructor() {
    before(async () => {
      this.#running = await functionsUp((request, name) => this.answers(request, name));
    });
    beforeEach(() => {
      this.answers = nothing;
    });
    after(async () => {
      await this.#running?.[Symbol.asyncDispose]();
    });
  }

  get all(): readonly Up[] {
    return this.#up.all;
  }

  get account(): ServiceAccount {
    return this.#up.account;
  }

  readonly each = async (check: (up: Up) => Promise<void>): Promise<void> => {
    await Promise.all(this.all.map(check));
  };

  get #up() {
    if (this.#running === undefined) throw new Error("the functions have not been started");
    return this.#running;
  }
}
