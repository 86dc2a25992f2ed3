import { Fault } from "../shared/kube/fault.ts";
import type { Dependencies } from "./dependencies.ts";
import { issueCa, issueLeaf } from "./issue-certificate.ts";
import type { StoredSecret } from "./key-pair.ts";
import { planCertificates, trustBundle } from "./plan-certificates.ts";
import type { CertificateAction } from "./plan-certificates.ts";
import { newSecret, replacement, storedSecret } from "./secrets.ts";
import { serverNames } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** Secrets that certify owns: the CA's key has one of its own, so that admission never mounts it. */
const CA_SECRET = "sampledb-ca";
const LEAF_SECRET = "sampledb-admission-tls";

// A run issues two certificates at most; more rounds than that happen only while another run writes too.
const MOST_ROUNDS = 8;

const issue = async (
  action: CertificateAction,
  settings: Settings,
  now: Date,
): Promise<Readonly<Record<string, string>>> => {
  const pair = await (action.issue === "ca"
    ? issueCa(now)
    : issueLeaf(action.by.pem, serverNames(settings), now));
  const beside =
    action.issue === "leaf"
      ? { "ca.crt": action.by.pem.certificate }
      : action.previous !== undefined && { "previous.crt": action.previous };
  return { "tls.crt": pair.certificate, "tls.key": pair.key, ...beside };
};

const carryOut = async (
  action: CertificateAction,
  { api, settings, now, log }: Dependencies,
): Promise<void> => {
  const name = action.issue === "ca" ? CA_SECRET : LEAF_SECRET;
  const secrets = `/api/v1/namespaces/${settings.namespace}/secrets`;
  const data = await issue(action, settings, now());
  try {
    await (action.replaces === undefined
      ? api.create(secrets, newSecret(name, settings.namespace, data))
      : api.merge(`${secrets}/${name}`, replacement(action.replaces, data)));
    log(`issued a new certificate into Secret ${name}: ${action.because}`);
  } catch (fault) {
    // Another run was first. What it stored is judged in the next round.
    if (!(fault instanceof Fault && fault.sort === "conflict")) throw fault;
  }
};

const observe = async ({ api, settings }: Dependencies, name: string): Promise<StoredSecret | undefined> => {
  const secret = await api.read(`/api/v1/namespaces/${settings.namespace}/secrets/${name}`);
  return secret === undefined ? undefined : storedSecret(secret);
};

/** The CAs to trust at this moment, as PEM; empty where the CA's Secret is gone or holds none. */
export const readTrust = async (dependencies: Dependencies): Promise<string> => {
  const ca = await observe(dependencies, CA_SECRET);
  return ca === undefined ? "" : trustBundle(ca, dependencies.now());
};

/**
 * Makes both Secrets right, whatever they were, and gives the CAs to trust, as PEM. Writes nothing when they are right. Where a leaf is
 * in use, `announce` is called before the next one is stored: whoever calls admission must trust the present CA by then.
 */
export const settleCertificates = async (
  dependencies: Dependencies,
  announce: () => Promise<void>,
): Promise<string> => {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const [ca, leaf] = await Promise.all([
      observe(dependencies, CA_SECRET),
      observe(dependencies, LEAF_SECRET),
    ]);
    const now = dependencies.now();
    const action = planCertificates({ ca, leaf, names: serverNames(dependencies.settings) }, now);
    if (action === undefined && ca !== undefined) return trustBundle(ca, now);
    if (action?.issue === "leaf" && action.isInUse) await announce();
    if (action !== undefined) await carryOut(action, dependencies);
  }
  throw new Error(
    `the certificates are still not right after ${MOST_ROUNDS} rounds: is another writer at work?`,
  );
};
