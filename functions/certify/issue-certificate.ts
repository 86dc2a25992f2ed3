// The certificate library does not load without this polyfill.
import "reflect-metadata";
import { randomBytes } from "node:crypto";
import type { webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { CA_LIFETIME, LEAF_LIFETIME } from "./plan-certificates.ts";
import type { PemPair } from "./key-pair.ts";

const KEYS = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
// Clocks of the cluster's nodes differ a little.
const BACKDATED = 5 * 60_000;

// A positive number of 16 bytes: the first bit of a serial number is its sign.
const newSerial = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
};

const pemPair = async (certificate: X509Certificate, key: webcrypto.CryptoKey): Promise<PemPair> => ({
  certificate: `${certificate.toString("pem")}\n`,
  key: `${PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`,
});

/** A new CA, able to sign leaves and nothing below them. Its name is its own, so that two CAs in one bundle are told apart. */
export const issueCa = async (now: Date): Promise<PemPair> => {
  const keys = await crypto.subtle.generateKey(KEYS, true, ["sign", "verify"]);
  const serialNumber = newSerial();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber,
    name: `O=SampleDB, CN=SampleDB CA ${serialNumber.slice(0, 8)}`,
    notBefore: new Date(now.getTime() - BACKDATED),
    notAfter: new Date(now.getTime() + CA_LIFETIME),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pemPair(certificate, keys.privateKey);
};

const signingKeyOf = (pem: string): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey("pkcs8", PemConverter.decodeFirst(pem), KEYS, false, ["sign"]);

/** A new server certificate for `names`, signed by `ca`. */
export const issueLeaf = async (ca: PemPair, names: readonly string[], now: Date): Promise<PemPair> => {
  const keys = await crypto.subtle.generateKey(KEYS, true, ["sign", "verify"]);
  const issuer = new X509Certificate(ca.certificate);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    // A common name holds at most 64 characters and nobody reads it any more: the alternative names count.
    subject: "O=SampleDB, CN=SampleDB admission",
    issuer: issuer.subject,
    notBefore: new Date(now.getTime() - BACKDATED),
    notAfter: new Date(now.getTime() + LEAF_LIFETIME),
    signingAlgorithm: SIGNING,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(ca.key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns", value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return pemPair(certificate, keys.privateKey);
};
