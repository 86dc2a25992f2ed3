import { setTimeout as pause } from "node:timers/promises";
import { apiServer } from "../shared/kube/api-server.ts";
import type { ApiCallNote } from "../shared/kube/api-call-note.ts";
import { readAccess } from "../shared/kube/read-access.ts";
import { log } from "../shared/serve/log.ts";
import { apiOn } from "./api.ts";
import { certify } from "./certify.ts";
import { probeAdmission } from "./probe-admission.ts";
import { settingsFrom } from "./settings.ts";

/** One run on the cluster that `env` leads to; its calls are told to `seen`. Rejects with a Fault, or an Error that says what to do. */
export const run = async (env: NodeJS.ProcessEnv, seen?: (note: ApiCallNote) => void): Promise<void> => {
  const settings = settingsFrom(env);
  const access = readAccess(env);
  const server = apiServer(access, seen);
  try {
    // Loading what reads a kubeconfig may take seconds, which are not the API server's. That it cannot be read is the first call's to tell.
    await access().catch(() => undefined);
    await certify({
      api: apiOn(server),
      probe: probeAdmission(settings, env["ADMISSION_ADDRESS"]),
      settings,
      now: () => new Date(),
      pause,
      log: (message) => log({ level: "info", function: "certify", message }),
    });
  } finally {
    server.close();
  }
};
