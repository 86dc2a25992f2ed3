import { awaitAdmission } from "./await-admission.ts";
import type { Dependencies } from "./dependencies.ts";
import { ofRelease } from "./settings.ts";
import { settleCertificates } from "./settle-certificates.ts";
import { announceTrust, settleWebhooks } from "./settle-webhooks.ts";

const BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/** Last of all: from here on SampleDBs can be created, and admission judges them. */
const endInstallation = async ({ api, log, settings }: Dependencies): Promise<void> => {
  const binding = `${BINDINGS}/${ofRelease("sampledb-install", settings)}`;
  if ((await api.read(binding)) === undefined) return;
  await api.remove(binding);
  log("removed the install policy's binding: SampleDBs can be created");
};

/**
 * One run: certificates, then admission's readiness, then both webhook configurations, then the end of the install policy. Each step
 * looks first and writes only what is not right, so runs may be repeated, may race and may end anywhere. While admission serves, each
 * certificate that it may show is trusted by both configurations at every moment. Throws a Fault, or an Error that says what to do.
 */
export const certify = async (dependencies: Dependencies): Promise<void> => {
  const caBundle = await settleCertificates(dependencies, () => announceTrust(dependencies));
  await awaitAdmission(dependencies, caBundle);
  await settleWebhooks(dependencies);
  await endInstallation(dependencies);
};
