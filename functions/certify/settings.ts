import { releaseFrom } from "../shared/api/release.ts";
import type { Release } from "../shared/api/release.ts";

/** What one certify run works on. */
export type Settings = {
  /** Namespace of the functions: both Secrets are there. */
  readonly namespace: string;
  /** Namespace of admission's Service; the same where it is undefined. */
  readonly serviceNamespace?: string;
  /** Service of the admission functions and its port. */
  readonly service: string;
  readonly port: number;
  /** Which namespaces' SampleDBs admission judges, and what the cluster-wide objects are called; undefined: all, and by their plain names. */
  readonly release?: Release;
  /** How long a run waits for admission to become ready, in milliseconds. */
  readonly readyTimeout: number;
};

const number = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} is ${JSON.stringify(text)}: it must be a whole number above 0`);
  return value;
};

/**
 * Reads `POD_NAMESPACE` (required), `ADMISSION_SERVICE`, `ADMISSION_NAMESPACE`, `PORT_OF_ADMISSION`, `NAMESPACE_SELECTOR` and `READY_TIMEOUT_SECONDS`; throws an Error naming
 * what is wrong. No name ends in _PORT: Kubernetes sets ADMISSION_PORT where there is a Service `admission`.
 */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): Settings => {
  const namespace = env["POD_NAMESPACE"];
  if (namespace === undefined || namespace === "")
    throw new Error("POD_NAMESPACE is not set: certify must know the namespace that it runs in");
  const release = releaseFrom(env);
  // Behind Knative's gateway: a Service selects pods of its own namespace only.
  const serviceNamespace = env["ADMISSION_NAMESPACE"] ?? "";
  return {
    namespace,
    ...(serviceNamespace !== "" && { serviceNamespace }),
    service: env["ADMISSION_SERVICE"] ?? "admission",
    port: number("PORT_OF_ADMISSION", env["PORT_OF_ADMISSION"] ?? "443"),
    ...(release !== undefined && { release }),
    readyTimeout: number("READY_TIMEOUT_SECONDS", env["READY_TIMEOUT_SECONDS"] ?? "300") * 1000,
  };
};

/** `name` with what tells this release's cluster-wide objects from another's. */
export const ofRelease = (name: string, { release }: Settings): string => `${name}${release?.suffix ?? ""}`;

/** Every name under which the API server or a person may address admission; the first is the one that the API server uses. */
export const serverNames = (settings: Settings): readonly [string, ...string[]] => {
  const { service, serviceNamespace = settings.namespace } = settings;
  const name = `${service}.${serviceNamespace}`;
  return [`${name}.svc`, service, name, `${name}.svc.cluster.local`];
};
