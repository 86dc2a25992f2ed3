import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { log } from "./log.ts";

/** Where certificate and key are mounted, as PEM. */
export type TlsFiles = { readonly certFile: string; readonly keyFile: string };

/** TLS_CERT_FILE and TLS_KEY_FILE: both or neither. */
export const tlsFiles = (env: NodeJS.ProcessEnv): TlsFiles | undefined => {
  const { TLS_CERT_FILE: certFile = "", TLS_KEY_FILE: keyFile = "" } = env;
  if (certFile === "" && keyFile === "") return undefined;
  if (certFile === "" || keyFile === "")
    throw new Error("set both TLS_CERT_FILE and TLS_KEY_FILE, or neither");
  return { certFile, keyFile };
};

/**
 * TLS 1.3 and nothing older: API servers and kubelets speak it since long before the oldest release that we support. No client certificates are
 * asked for, so no authorities are needed: loading the system's takes time at start, and so does the digest that a session's context is by itself.
 */
const OPTIONS: SecureContextOptions = { minVersion: "TLSv1.3", ca: [], sessionIdContext: "sampledb" };

/** How often the files are looked at: a mounted Secret changes a minute after it was written, so seconds do not matter. */
const LOOK_EVERY_MS = 1000;

export type SecureServer = {
  readonly server: Server;
  readonly isLoaded: () => boolean;
  /** Ends looking at the files. */
  readonly stop: () => void;
};

/**
 * An HTTPS server with the certificate in `files` and every later one, without a restart; connections that exist keep the old one. Files that are
 * missing, half written or no pair are logged once and looked at again: the last good pair stays. Looks at contents, not at times or
 * notices: Kubernetes swaps a mounted Secret by a link that file watchers miss.
 */
export const secureServer = (
  files: TlsFiles,
  listener: RequestListener,
  everyMs = LOOK_EVERY_MS,
): SecureServer => {
  const made: { server?: Server } = {};
  let loaded: string | undefined;
  let told: string | undefined;
  const look = (): void => {
    try {
      const [cert, key] = [readFileSync(files.certFile, "utf8"), readFileSync(files.keyFile, "utf8")];
      if (loaded === cert + key) return;
      const options = { ...OPTIONS, cert, key };
      // Each makes one context of the pair, and throws before it takes it where it is none. A server that begins without one makes one more.
      if (made.server === undefined) made.server = createServer(options, listener);
      else made.server.setSecureContext(options);
      loaded = cert + key;
      told = undefined;
      log({ message: "certificate loaded", file: files.certFile });
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      if (told !== message) log({ level: "warning", message: `no usable certificate yet: ${message}` });
      told = message;
    }
  };
  look();
  const server = (made.server ??= createServer(OPTIONS, listener));
  const timer = setInterval(look, everyMs);
  timer.unref();
  return { server, isLoaded: () => loaded !== undefined, stop: () => clearInterval(timer) };
};
