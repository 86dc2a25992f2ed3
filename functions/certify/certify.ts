import { awaitAdmission } from "./await-admission.ts";
import { carries } from "./carries.ts";
import type { Dependencies } from "./dependencies.ts";
import { settleCertificates } from "./settle-certificates.ts";
import { CONFIGURATION, webhookConfigurations } from "./webhook-configurations.ts";
import type { Owner } from "./webhook-configurations.ts";
import { whileInstalled } from "./while-installed.ts";

const OWNER_ROLE = "sampledb-certify";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const INSTALL_BINDING = `${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install`;

const COLLECTIONS = {
  MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
} as const;

const readOwner = async ({ api }: Dependencies): Promise<Owner> => {
  const role = await api.read(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${OWNER_ROLE}`);
  if (role === undefined)
    throw new Error(
      `ClusterRole ${OWNER_ROLE} is missing: the webhook configurations belong to it, so apply the overlay again`,
    );
  return { name: OWNER_ROLE, uid: role.metadata.uid };
};

const settleWebhooks = async (dependencies: Dependencies, caBundle: string): Promise<void> => {
  const { api, settings, log } = dependencies;
  const owner = await readOwner(dependencies);
  for (const configuration of webhookConfigurations(settings, owner, caBundle)) {
    const wanted = whileInstalled(configuration, settings);
    const path = `${REGISTRATION}/${COLLECTIONS[wanted.kind]}/${CONFIGURATION}`;
    if (carries(await api.read(path), wanted)) continue;
    await api.apply(path, wanted);
    log(`applied ${wanted.kind} ${CONFIGURATION}`);
  }
};

/** Last of all: from here on SampleDBs can be created, and admission judges them. */
const endInstallation = async ({ api, log }: Dependencies): Promise<void> => {
  if ((await api.read(INSTALL_BINDING)) === undefined) return;
  await api.remove(INSTALL_BINDING);
  log("removed the install policy's binding: SampleDBs can be created");
};

/**
 * One run: certificates, then admission's readiness, then both webhook configurations, then the end of the install policy. Each step
 * looks first and writes only what is not right, so runs may be repeated and may race. Throws a Fault, or an Error that says what to do.
 */
export const certify = async (dependencies: Dependencies): Promise<void> => {
  const caBundle = await settleCertificates(dependencies);
  await awaitAdmission(dependencies, caBundle);
  await settleWebhooks(dependencies, caBundle);
  await endInstallation(dependencies);
};
