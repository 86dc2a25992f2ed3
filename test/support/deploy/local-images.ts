import { resolve } from "node:path";
import { run } from "../cluster/run.ts";
import { ensureImages } from "../images/ensure-images.ts";
import { buildFunctionsImage } from "../images/functions-image.ts";
import { withLock } from "../images/with-lock.ts";
import type { Deployment } from "./overlay-for.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The functions as a local node runs them. */
export const LOCAL_DEPLOYMENT: Deployment = {
  image: "localhost/sampledb-functions:dev",
  catalog: { default: "17", latest: "17", "15": "localhost/postgres:15", "17": "localhost/postgres:17" },
};

/** Everything that a local node runs, as archives to import, and the deployment that uses them. */
export const localImages = async (
  onProgress: (line: string) => void,
): Promise<{ readonly archives: readonly string[]; readonly deployment: Deployment }> => {
  const base = await ensureImages({ onProgress });
  // One at a time: bundles are written where another process may be reading them.
  const functions = await withLock(resolve(ROOT, "node_modules/.bundles.lock"), async () => {
    onProgress("bundling the functions");
    await run(["npm", "run", "--silent", "build"], { cwd: ROOT });
    return buildFunctionsImage({ dist: resolve(ROOT, "dist"), onProgress });
  });
  return {
    archives: [base.pause, base.postgres15, base.postgres17, functions],
    deployment: LOCAL_DEPLOYMENT,
  };
};
