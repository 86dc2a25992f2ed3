import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** A certificate and the private key that belongs to it, as PEM texts. */
export type PemPair = { readonly certificate: string; readonly key: string };

/** The same, read. */
export type KeyPair = {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
  readonly pem: PemPair;
};

/** A Secret as far as certify looks at it: `data` holds decoded texts. */
export type StoredSecret = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly data: Readonly<Record<string, string>>;
};

/** The first certificate of a PEM text; undefined where there is none that can be read. */
export const readCertificate = (pem: string | undefined): X509Certificate | undefined => {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
};

/** `tls.crt` and `tls.key` of a Secret; undefined where one of them cannot be read or they do not belong together. */
export const readKeyPair = ({ data }: StoredSecret): KeyPair | undefined => {
  const certificate = readCertificate(data["tls.crt"]);
  const pem = { certificate: data["tls.crt"] ?? "", key: data["tls.key"] ?? "" };
  try {
    const key = createPrivateKey(pem.key);
    return certificate?.checkPrivateKey(key) === true ? { certificate, key, pem } : undefined;
  } catch {
    return undefined;
  }
};
