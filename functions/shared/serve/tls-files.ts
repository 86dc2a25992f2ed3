import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import { createSecureContext } from "node:tls";
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

/** Nothing older: API servers and kubelets speak it since long before the oldest release that we support. */
export const TLS_VERSION = { minVersion: "TLSv1.3" } as const;

/** How often the files are looked at: a mounted Secret changes a minute after it was written, so seconds do not matter. */
const LOOK_EVERY_MS = 1000;

export type TlsWatch = { readonly isLoaded: () => boolean; readonly stop: () => void };

/**
 * Gives `server` the certificate in `files` and every later one, without a restart; connections that exist keep the old one. Files that are
 * missing, half written or no pair are logged once and looked at again: the last good pair stays. Looks at contents, not at times or
 * notices: Kubernetes swaps a mounted Secret by a link that file watchers miss.
 */
export const watchTls = (server: Server, files: TlsFiles, everyMs = LOOK_EVERY_MS): TlsWatch => {
  let loaded: string | undefined;
  let told: string | undefined;
  const look = (): void => {
    try {
      const [cert, key] = [readFileSync(files.certFile, "utf8"), readFileSync(files.keyFile, "utf8")];
      if (loaded === cert + key) return;
      // No client certificates are asked for, so no authorities are needed: loading the system's takes time at start.
      const options = { cert, key, ca: [], ...TLS_VERSION };
      createSecureContext(options);
      server.setSecureContext(options);
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
  const timer = setInterval(look, everyMs);
  timer.unref();
  return { isLoaded: () => loaded !== undefined, stop: () => clearInterval(timer) };
};
