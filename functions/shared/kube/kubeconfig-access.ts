import { delimiter } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";
import type { Target } from "../serve/send.ts";
import type { Access, ReadAccess } from "./access.ts";

// Only a process with a kubeconfig pays for the client library, and only for its configuration part.
const load = async (files: string): Promise<KubeConfig> => {
  const client = await import("@kubernetes/client-node/dist/config.js");
  const [config = new client.KubeConfig(), ...others]: readonly KubeConfig[] = files
    .split(delimiter)
    .filter(Boolean)
    .map((file) => {
      const one: KubeConfig = new client.KubeConfig();
      one.loadFromFile(file);
      return one;
    });
  for (const other of others) config.mergeConfig(other);
  // The library refuses plain HTTP unless TLS verification is off; there is no TLS to verify.
  config.clusters = config.clusters.map((cluster) =>
    cluster.server.startsWith("http:") ? { ...cluster, skipTLSVerify: true } : cluster,
  );
  return config;
};

/** What the client library fills in of node:https' request options. */
type Options = NonNullable<Target["tls"]> & {
  headers?: Readonly<Record<string, unknown>>;
  auth?: string;
  agent?: NonNullable<Target["agent"]>;
};

const accessOf = async (config: KubeConfig): Promise<Access> => {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error("The kubeconfig has no current context with a cluster");
  const options: Options = {};
  await config.applyToHTTPSOptions(options);
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const { ca, cert, key, rejectUnauthorized, servername, auth } = options;
  const tls = Object.fromEntries(
    Object.entries({ ca, cert, key, rejectUnauthorized, servername }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return {
    target: {
      base: new URL(cluster.server),
      tls,
      ...(cluster.proxyUrl === undefined || options.agent === undefined ? {} : { agent: options.agent }),
    },
    headers:
      auth === undefined
        ? headers
        : { ...headers, authorization: `Basic ${Buffer.from(auth).toString("base64")}` },
  };
};

/** Access as kubeconfig files say (paths as in `KUBECONFIG`, the first wins), with every way to authenticate that the client library knows. */
export const kubeconfigAccess = (files: string): ReadAccess => {
  // Begun at once: the time that it takes must not count as the API server's.
  const config = load(files);
  // The first call tells of it.
  config.catch(() => undefined);
  return async () => accessOf(await config);
};
