import { resolve } from "node:path";

export const PLATFORMS = ["kubernetes", "knative", "openfaas"] as const;
export type Platform = (typeof PLATFORMS)[number];

export const MANIFESTS = resolve(import.meta.dirname, "../../manifests");
export const CRDS = resolve(MANIFESTS, "crds");

/** Folder of a platform's overlay. */
export const overlayOf = (platform: Platform): string => resolve(MANIFESTS, "overlays", platform);

/** Where the overlay goes if nothing else is said. */
export const namespaceOf = (platform: Platform): string =>
  platform === "openfaas" ? "openfaas-fn" : "sampledb-system";
