import { componentsFor, fitting, type Component } from "./components.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Platform } from "./platform.ts";
import { itemsIn, type KubeObject } from "./rendered.ts";

const INJECT = "cert-manager.io/inject-ca-from";

/** Whether cert-manager makes the certificate of the SampleDB that is in this namespace. */
export const isFromCertManager = (webhooks: readonly KubeObject[], namespace: string): boolean =>
  webhooks.some(({ metadata }) => metadata.annotations?.[INJECT]?.startsWith(`${namespace}/`));

/** The components that were chosen, and cert-manager's where what is installed has its certificate from there and nobody chose otherwise. */
export const withIssuer = async (
  kubectl: Kubectl,
  {
    platform,
    namespace,
    components,
  }: { platform: Platform; namespace: string; components: readonly Component[] },
): Promise<readonly Component[]> => {
  const found = componentsFor(platform).get("cert-manager");
  if (found === undefined || components.some(({ path }) => path.endsWith("/cert-manager"))) return components;
  const ours = ["-l", "app.kubernetes.io/part-of=sampledb", "-o", "json"];
  // Whether a cluster answers at all is told later, in better words.
  const webhooks = await kubectl(["get", "mutatingwebhookconfigurations", ...ours]).then(itemsIn, () => []);
  return isFromCertManager(webhooks, namespace) ? fitting([...components, found]) : components;
};
