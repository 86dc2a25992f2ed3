import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { imageEnv } from "../../support/build/image-env.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import type { FakeApiServer } from "../../support/fake-api-server.ts";
import { startProgram } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";
import { callText } from "../events/reads.ts";
import { send } from "../events/send.ts";
import type { Got, Message } from "../events/send.ts";
import type { ServiceAccount } from "../events/service-account.ts";
import { startOpenFaas } from "../openfaas-scene.ts";
import type { Certificates } from "./certificates.ts";
import { world } from "./world.ts";
import type { State } from "./world.ts";

/** What all deployables share: a folder for files, a service account, and certificates. */
export type Ground = {
  readonly folder: string;
  readonly account: ServiceAccount;
  readonly certificates: Certificates;
};

/** How a request gets to a function: straight over HTTP (as from queue-proxy), over TLS, and through OpenFaaS' gateway and watchdog. */
export const WIRES = ["plain", "tls", "openfaas"] as const;
export type Wire = (typeof WIRES)[number];

export type Deployed = AsyncDisposable & {
  /** Sends a request; tells what came back, and what was done meanwhile: calls to the API server, and `SEND key` for each that was sent on; each once. */
  readonly replay: (
    wire: Wire,
    path: string,
    message: Message,
  ) => Promise<Got & { readonly did: readonly string[] }>;
  readonly at: (wire: Wire, path: string) => URL;
  readonly processes: readonly FunctionProcess[];
  /** Calls and keys that no `replay` has told. */
  readonly untold: () => readonly string[];
  /** What its API server has, from now on. */
  readonly become: (state: State) => void;
};

/** What somebody was asked since it was last told. */
const teller = (server: FakeApiServer, textOf: typeof callText): (() => readonly string[]) => {
  let told = 0;
  return () => {
    const since = server.requests.slice(told).filter(({ query }) => query.get("watch") !== "true");
    told = server.requests.length;
    return since.map(textOf);
  };
};

/** The environment of the image, and all that any function wants of a pod. */
const envFor = async (ground: Ground, api: FakeApiServer, sink: FakeApiServer, admission: FakeApiServer) => {
  const { hostname, port } = new URL(api.url);
  return {
    ...(await imageEnv()),
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIR: ground.account.folder,
    POD_NAMESPACE: "shop",
    ADMISSION_ADDRESS: new URL(admission.url).host,
    SINK: sink.url,
    // So long that no watch begins anew meanwhile.
    WATCH_SILENCE_SECONDS: "3600",
  };
};

const tlsEnv = ({ folder, certificates: { leaf } }: Ground): Readonly<Record<string, string>> => {
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  writeFileSync(TLS_CERT_FILE, leaf.certificate);
  writeFileSync(TLS_KEY_FILE, leaf.key);
  return { TLS_CERT_FILE, TLS_KEY_FILE };
};

const isReady = async (url: URL, ca?: string): Promise<boolean> =>
  (await send(url, { method: "GET", headers: {} }, ca)).status === 200;

/** Starts a function's bundle twice, without and with TLS, and the former behind OpenFaaS too; waits until both are ready. */
export const deploy = async (file: string, ground: Ground): Promise<Deployed> => {
  const { ca, leaf } = ground.certificates;
  let state: State = "empty";
  const api = await fakeApiServer(
    (request) => world(state, ground.certificates)(request),
    ground.account.tls,
  );
  const sink = await fakeApiServer(() => ({ status: 204 }));
  const admission = await fakeApiServer(() => ({}), { cert: leaf.certificate, key: leaf.key });
  const env = await envFor(ground, api, sink, admission);
  const plain = startProgram(file, env);
  const tls = startProgram(file, { ...env, ...tlsEnv(ground) });
  const openFaas = await startOpenFaas({ it: { upstream: () => plain.url() } });
  const addresses: Readonly<Record<Wire, (path: string) => URL>> = {
    plain: await plain.url().then((url) => (path) => new URL(path, url)),
    tls: await tls.url().then((url) => (path) => new URL(path, `https://localhost:${new URL(url).port}`)),
    openfaas: (path) => openFaas.at("it", path),
  };
  const at = (wire: Wire, path: string): URL => addresses[wire](path);
  await until("both to be ready", () => isReady(at("plain", "/readyz")));
  await until("both to be ready", () => isReady(at("tls", "/readyz"), ca));
  const asked = [
    teller(api, callText),
    teller(sink, ({ headers }) => `SEND ${String(headers["ce-namespace"])}/${String(headers["ce-name"])}`),
  ];
  const untold = (): readonly string[] => asked.flatMap((tell) => tell());
  untold();
  return {
    replay: async (wire, path, message) => {
      const got = await send(at(wire, path), message, wire === "tls" ? ca : undefined);
      return { ...got, did: [...new Set(untold())].toSorted() };
    },
    at,
    untold,
    processes: [plain, tls],
    become: (next) => {
      state = next;
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [openFaas, plain, tls, api, sink, admission]) await each[Symbol.asyncDispose]();
    },
  };
};
