import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../support/build/bundle.ts";
import { imageEnv } from "../../support/build/image-env.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { freePort } from "../../support/cluster/free-port.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { makeTlsFolder } from "../../support/tls-folder.ts";
import { compiledGo } from "../compiled-go.ts";
import { podEnv } from "../pod-env.ts";
import { startProgram } from "../processes.ts";
import type { Started } from "../processes.ts";

/** The functions that run at rest somewhere. */
const FUNCTIONS = ["admission", "reconcile", "source"] as const;
type FunctionName = (typeof FUNCTIONS)[number];

/** A program that listens. */
export type Running = Started & { readonly port: number };

/** How to start what is compared, on one API server. */
export type Programs = {
  /** A function as its image runs it; resolves when it is ready. `sink` is where source sends to. */
  readonly start: (name: FunctionName, sink?: string) => Promise<Running>;
  /** A controller-runtime manager with the same reconciles, and one with the same webhooks. */
  readonly startManager: () => Promise<Running>;
  readonly startWebhook: () => Promise<Running>;
};

const BENCH = join(import.meta.dirname, "..");

const isListening = async (url: string): Promise<boolean> => {
  try {
    // Whatever is answered: somebody listens.
    await fetch(url);
    return true;
  } catch (cause) {
    // A certificate that fetch does not trust is one that was shown.
    return /certificate/u.test(String(cause instanceof Error ? cause.cause : ""));
  }
};

const started = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  {
    port,
    path = "/",
    https = false,
  }: { readonly port: number; readonly path?: string; readonly https?: boolean },
): Promise<Running> => {
  const program = startProgram(argv, env);
  const url = `${https ? "https" : "http"}://localhost:${port}${path}`;
  await waitUntil(async () => (await isListening(url)) || undefined, {
    what: url,
    timeoutMs: 60_000,
    everyMs: 2,
  });
  return { ...program, port };
};

/** Bundles the functions as they are now and compiles the references once. Needs Go. */
export const preparePrograms = async (
  cluster: LocalCluster,
  say: (line: string) => void,
): Promise<Programs & Disposable> => {
  const folder = await mkdtemp(join(tmpdir(), "bench-footprint-"));
  for (const name of FUNCTIONS) await bundle(name, folder);
  const manager = await compiledGo(join(BENCH, "events", "reference"), say);
  const webhook = await compiledGo(join(BENCH, "admission", "go-webhook"), say);
  const tls = await makeTlsFolder();
  await tls.renew();
  const environment = { ...(await imageEnv()), ...(await podEnv(cluster, join(folder, "account"))) };
  const { kubeconfig } = cluster;
  const { certFile, keyFile } = tls.files;
  return {
    start: async (name, sink) => {
      const port = await freePort();
      const https = name === "admission";
      const env = {
        ...environment,
        PORT: String(port),
        ...(https ? { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } : {}),
        ...(sink === undefined ? {} : { SINK: sink }),
      };
      return started([process.execPath, join(folder, `${name}.mjs`)], env, { port, https, path: "/readyz" });
    },
    startManager: async () => {
      const port = await freePort();
      const env = { KUBECONFIG: kubeconfig, METRICS_ADDRESS: `127.0.0.1:${port}`, WORKERS: "4" };
      return started([manager], env, { port, path: "/metrics" });
    },
    startWebhook: async () => {
      const port = await freePort();
      const env = { KUBECONFIG: kubeconfig, CERT_DIR: join(certFile, ".."), PORT: String(port) };
      return started([webhook], env, { port, https: true });
    },
    [Symbol.dispose]: () => {
      tls.remove();
      rmSync(folder, { recursive: true });
    },
  };
};
