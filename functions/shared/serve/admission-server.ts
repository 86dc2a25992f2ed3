import { once } from "node:events";
import { createServer } from "node:http";
import type { Catalog } from "../api/catalog.ts";
import { admissionListener } from "./admission-listener.ts";
import type { AdmissionFunction } from "./admission-review.ts";
import { catalogFolder, catalogFrom } from "./catalog-file.ts";
import { JUDGE_ARGUMENT, judgeBigBy } from "./judge-big.ts";
import type { JudgeBig } from "./judge-big.ts";
import { judgeForAnotherThread } from "./judge-for-another-thread.ts";
import { listen } from "./listen.ts";
import { log } from "./log.ts";
import { stopSignals } from "./stop-signals.ts";
import { secureServer, tlsFiles } from "./tls-files.ts";
import type { TlsFiles } from "./tls-files.ts";

export type AdmissionServer = {
  readonly port: number;
  /** Readiness off, no new connections; resolves when every call in flight is answered. */
  readonly close: () => Promise<void>;
};

export type AdmissionOptions = {
  readonly functions: readonly AdmissionFunction[];
  readonly catalog: () => Catalog;
  /** 0: any free port. */
  readonly port: number;
  /** HTTPS with these files; without them plain HTTP, for platforms that end TLS in front of the function. */
  readonly tls?: TlsFiles;
  /** Milliseconds between looks at the TLS files. */
  readonly tlsLookEveryMs?: number;
  readonly judgeBig?: JudgeBig;
};

/** Listens for reviews; resolves when connections are accepted. */
export const listenForReviews = async (options: AdmissionOptions): Promise<AdmissionServer> => {
  let isEnding = false;
  const listener = admissionListener({
    functions: options.functions,
    catalog: options.catalog,
    judgeBig: options.judgeBig,
    isReady: () => !isEnding && (secure?.isLoaded() ?? true),
    isEnding: () => isEnding,
  });
  const secure = options.tls && secureServer(options.tls, listener, options.tlsLookEveryMs);
  const { port, close } = await listen(secure?.server ?? createServer(listener), options.port);
  return {
    port,
    close: async () => {
      isEnding = true;
      secure?.stop();
      await close();
    },
  };
};

/** A mounted ConfigMap changes a minute after it was written; its files are not asked for at each review. */
const LOOK_EVERY_MS = 1000;

/** What `read` gives, at most a second old. */
const seldom = <T>(read: () => T): (() => T) => {
  let last: { readonly value: T; readonly at: number } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > LOOK_EVERY_MS) last = { value: read(), at: now };
    return last.value;
  };
};

/** Runs admission as a process: PORT, TLS_CERT_FILE, TLS_KEY_FILE and CATALOG_DIR say how; SIGTERM (see stop-signals.ts) ends it in order. */
export const serveAdmission = async (
  functions: readonly AdmissionFunction[],
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const [, program = "", argument] = process.argv;
  if (argument === JUDGE_ARGUMENT) {
    await judgeForAnotherThread(functions);
    return;
  }
  const tls = tlsFiles(env);
  const signals = stopSignals(env);
  const server = await listenForReviews({
    functions,
    catalog: seldom(catalogFrom(catalogFolder(env))),
    port: Number(env["PORT"] ?? 8080),
    judgeBig: judgeBigBy(program),
    ...(tls === undefined ? {} : { tls }),
  });
  log({
    message: "listening",
    port: server.port,
    tls: tls !== undefined,
    functions: functions.map(({ name }) => name).join(" "),
  });
  await Promise.race(signals.map((signal) => once(process, signal)));
  await server.close();
  log({ message: "ended" });
};
