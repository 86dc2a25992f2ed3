import { type Finding, missing } from "./finding.ts";
import type { Seen } from "./seen.ts";

/** Oldest minor versions of Kubernetes 1.x: of the cluster (what the policies and webhooks say), and of kubectl (its kustomize). */
const OLDEST = { server: 30, client: 31 };

const minorOf = (version: string): number => Number(/^v?1\.(\d+)/u.exec(version)?.[1] ?? Number.NaN);

/** Whether cluster and kubectl are new enough. A version that says nothing passes. */
export const versionFindings = ({ serverVersion, clientVersion }: Seen): readonly Finding[] => [
  ...(minorOf(serverVersion) < OLDEST.server
    ? [missing(`Kubernetes 1.${OLDEST.server} or newer`, serverVersion, "upgrade the cluster")]
    : []),
  ...(minorOf(clientVersion) < OLDEST.client
    ? [missing(`kubectl 1.${OLDEST.client} or newer`, clientVersion, "install a newer kubectl")]
    : []),
];
