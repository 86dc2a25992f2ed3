import { RELEASE_LABEL } from "../shared/api/release.ts";
import { Fault } from "../shared/kube/fault.ts";
import type { StoredObject } from "./api.ts";
import { carries } from "./carries.ts";
import type { Dependencies } from "./dependencies.ts";
import { ofRelease } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { readTrust } from "./settle-certificates.ts";
import { configurationName, webhookConfigurations } from "./webhook-configurations.ts";
import type { Owner, WebhookConfiguration } from "./webhook-configurations.ts";
import { whileInstalled } from "./while-installed.ts";

const OWNER_ROLE = "sampledb-certify";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";

const COLLECTIONS = {
  MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
} as const;

const KINDS = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const;
type Kind = WebhookConfiguration["kind"];

// A round more is needed only where another run wrote meanwhile.
const MOST_ROUNDS = 8;

/** No object has it: an apply with it makes the object or is a conflict. */
const NEVER_A_VERSION = "1";

const readOwner = async ({ api, settings }: Dependencies): Promise<Owner> => {
  const name = ofRelease(OWNER_ROLE, settings);
  const role = await api.read(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`);
  if (role === undefined)
    throw new Error(
      `ClusterRole ${name} is missing: the webhook configurations belong to it, so apply the overlay again`,
    );
  return { name, uid: role.metadata.uid };
};

/** The configuration with the CAs that are to be trusted now. */
const wantedNow = async (dependencies: Dependencies, kind: Kind): Promise<WebhookConfiguration> => {
  const { settings } = dependencies;
  const owner = await readOwner(dependencies);
  const caBundle = await readTrust(dependencies);
  const wanted = webhookConfigurations(settings, owner, caBundle).find((each) => each.kind === kind);
  if (wanted === undefined || caBundle === "")
    throw new Error("the CA vanished meanwhile: the webhooks were left as they are, run certify again");
  return whileInstalled(wanted, settings);
};

const apply = async (
  { api, log, settings }: Dependencies,
  wanted: WebhookConfiguration,
  found: StoredObject | undefined,
): Promise<boolean> => {
  const resourceVersion = found?.metadata.resourceVersion ?? NEVER_A_VERSION;
  try {
    const metadata = { ...wanted.metadata, resourceVersion };
    await api.apply(pathOf(wanted.kind, settings), { ...wanted, metadata });
    log(`applied ${wanted.kind} ${configurationName(settings)}`);
    return true;
  } catch (fault) {
    if (fault instanceof Fault && fault.sort === "conflict") return false;
    throw fault;
  }
};

const pathOf = (kind: Kind, settings: Settings): string =>
  `${REGISTRATION}/${COLLECTIONS[kind]}/${configurationName(settings)}`;

/** Whether it still leaves namespaces to other releases, of which there are none any more: a selector that nobody asks for is no drift else. */
const isTooNarrow = (found: StoredObject | undefined, { release }: Settings): boolean =>
  release === undefined && found !== undefined && JSON.stringify(found).includes(RELEASE_LABEL);

const isRight = (
  found: StoredObject | undefined,
  wanted: WebhookConfiguration,
  settings: Settings,
): boolean => carries(found, wanted) && !isTooNarrow(found, settings);

/**
 * The configuration is read before the CAs, and written only if it is still the one that was read. So a run that was overtaken by another
 * one never puts back an older caBundle.
 */
const settle = async (dependencies: Dependencies, kind: Kind, mayCreate: boolean): Promise<void> => {
  const { api, settings } = dependencies;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = await api.read(pathOf(kind, settings));
    if (found === undefined && !mayCreate) return;
    const wanted = await wantedNow(dependencies, kind);
    if (isRight(found, wanted, settings) || (await apply(dependencies, wanted, found))) return;
  }
  throw new Error(`${kind} ${configurationName(settings)} is still not right after ${MOST_ROUNDS} rounds`);
};

/** Makes those webhook configurations right that are there: whoever calls admission trusts the present CAs from then on. */
export const announceTrust = async (dependencies: Dependencies): Promise<void> => {
  for (const kind of KINDS) await settle(dependencies, kind, false);
};

/** Makes both webhook configurations right, whatever they were. */
export const settleWebhooks = async (dependencies: Dependencies): Promise<void> => {
  for (const kind of KINDS) await settle(dependencies, kind, true);
};
