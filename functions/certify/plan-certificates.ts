import type { X509Certificate } from "node:crypto";
import { readCertificate, readKeyPair } from "./key-pair.ts";
import type { KeyPair, StoredSecret } from "./key-pair.ts";

const DAY = 86_400_000;
export const LEAF_LIFETIME = 90 * DAY;
const LEAF_RENEWAL = 30 * DAY;
export const CA_LIFETIME = 5 * 365 * DAY;
// More than a leaf lives: a leaf of the old CA is always replaced while that CA is still trusted beside the new one.
const CA_RENEWAL = 365 * DAY;

export type ObservedCertificates = {
  readonly ca: StoredSecret | undefined;
  readonly leaf: StoredSecret | undefined;
  /** Names that the leaf must be valid for. */
  readonly names: readonly string[];
};

/** One certificate to make and store. `replaces` is the Secret as read, undefined where there is none. */
export type CertificateAction =
  | {
      readonly issue: "ca";
      readonly because: string;
      readonly replaces: StoredSecret | undefined;
      /** The CA that stays trusted until its own end, as PEM. */
      readonly previous: string | undefined;
    }
  | {
      readonly issue: "leaf";
      readonly because: string;
      readonly replaces: StoredSecret | undefined;
      readonly by: KeyPair;
      /** Whether `replaces` is good still, so that calls go over it: then its successor's CA must be trusted before there is a successor. */
      readonly isInUse: boolean;
    };

const endsWithin = (certificate: X509Certificate, span: number, now: Date): boolean =>
  certificate.validToDate.getTime() - now.getTime() <= span;

/** A certificate that begins in the future was made by a clock that was wrong, or is wrong now: nobody takes it. */
const isYetToBegin = (certificate: X509Certificate, now: Date): boolean =>
  certificate.validFromDate.getTime() > now.getTime();

/** Every CA that is to be trusted: the present one and, until it ends, the one before. */
const trusted = (ca: StoredSecret, now: Date): readonly X509Certificate[] =>
  [ca.data["tls.crt"], ca.data["previous.crt"]]
    .map((pem) => readCertificate(pem))
    .filter((certificate) => certificate !== undefined)
    .filter((certificate) => certificate.ca && !endsWithin(certificate, 0, now));

/** The same as PEM, for `caBundle` and for those who connect to admission. */
export const trustBundle = (ca: StoredSecret, now: Date): string =>
  trusted(ca, now)
    .map((certificate) => certificate.toString())
    .join("");

const planCa = (ca: StoredSecret | undefined, now: Date): CertificateAction | KeyPair => {
  const issue = (because: string, previous?: string): CertificateAction => ({
    issue: "ca",
    because,
    replaces: ca,
    previous,
  });
  if (ca === undefined) return issue("there is none");
  const pair = readKeyPair(ca);
  if (pair === undefined) return issue("its certificate and key cannot be read or do not belong together");
  if (!pair.certificate.ca) return issue("its certificate is not that of a CA");
  if (endsWithin(pair.certificate, 0, now)) return issue("it has ended");
  if (isYetToBegin(pair.certificate, now)) return issue("it begins in the future");
  if (endsWithin(pair.certificate, CA_RENEWAL, now)) return issue("it ends soon", pair.pem.certificate);
  return pair;
};

/** What is wrong with the leaf, and whether it serves all the same. */
type LeafFault = Pick<Extract<CertificateAction, { readonly issue: "leaf" }>, "because" | "isInUse">;

const spoilt = (because: string): LeafFault => ({ because, isInUse: false });

const leafFault = (leaf: StoredSecret, observed: ObservedCertificates, now: Date): LeafFault | undefined => {
  const pair = readKeyPair(leaf);
  if (pair === undefined) return spoilt("its certificate and key cannot be read or do not belong together");
  const { certificate } = pair;
  const issuers = observed.ca === undefined ? [] : trusted(observed.ca, now);
  if (!issuers.some((issuer) => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)))
    return spoilt("it was not issued by a CA that is trusted here");
  if (endsWithin(certificate, 0, now)) return spoilt("it has ended");
  if (isYetToBegin(certificate, now)) return spoilt("it begins in the future");
  if (!observed.names.every((name) => certificate.checkHost(name) !== undefined))
    return { because: "it is not valid for every name of the service", isInUse: true };
  return endsWithin(certificate, LEAF_RENEWAL, now) ? { because: "it ends soon", isInUse: true } : undefined;
};

/**
 * The next certificate to make; undefined when both are right. At most one at a time: a leaf is planned on the CA that is stored, so
 * that two runs at once end with one CA and a leaf of that CA. A renewed CA leaves the leaf alone: the old CA stays in the bundle until
 * the leaf's own renewal, so no moment needs the new CA to have reached everybody.
 */
export const planCertificates = (
  observed: ObservedCertificates,
  now: Date,
): CertificateAction | undefined => {
  const { leaf } = observed;
  const ca = planCa(observed.ca, now);
  if ("issue" in ca) return ca;
  const fault = leaf === undefined ? spoilt("there is none") : leafFault(leaf, observed, now);
  return fault === undefined ? undefined : { issue: "leaf", ...fault, replaces: leaf, by: ca };
};
