import type { PemPair, StoredSecret } from "../../../functions/certify/key-pair.ts";

/** A Secret that holds a certificate and its key, and whatever else. */
export const makeSecret = (pair: PemPair, more: Readonly<Record<string, string>> = {}): StoredSecret => ({
  uid: "4c0c3a0e",
  resourceVersion: "7",
  data: { "tls.crt": pair.certificate, "tls.key": pair.key, ...more },
});
