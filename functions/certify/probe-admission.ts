import { sender } from "../shared/serve/send.ts";
import { serverNames } from "./settings.ts";
import type { Settings } from "./settings.ts";

const PROBE_MS = 5000;

/** Probes admission's `/readyz` as the API server would call it. `address` (host:port) is connected to; default: the Service's name. */
export const probeAdmission =
  (settings: Settings, address?: string) =>
  async (ca: string): Promise<string | undefined> => {
    const [servername] = serverNames(settings);
    const base = new URL(`https://${address ?? `${servername}:${settings.port}`}`);
    const connection = sender({ base, tls: { ca, servername } }, 1);
    try {
      const signal = AbortSignal.timeout(PROBE_MS);
      const { status } = await connection.send({ method: "GET", path: "/readyz", signal });
      return status === 200 || status === 204 ? undefined : `/readyz answered ${status}`;
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause);
    } finally {
      connection.close();
    }
  };
