import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const FOLDER = resolve(import.meta.dirname, "../../fixtures/knative-crds");
const FILES = readdirSync(FOLDER).map((file) => resolve(FOLDER, file));

/** Installs the schemas of Knative's kinds (copied from its repositories; no controller) and waits until the API server has them. */
export const installKnativeCrds = async (kubectl: Kubectl): Promise<void> => {
  const files = FILES.flatMap((file) => ["-f", file]);
  // An apply would write each schema a second time, into an annotation that is too small for it.
  await kubectl(["create", ...files]);
  await kubectl(["wait", "--for=condition=Established", "--timeout=300s", ...files]);
};
