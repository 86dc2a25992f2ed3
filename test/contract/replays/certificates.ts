import { issueCa, issueLeaf } from "../../../functions/certify/issue-certificate.ts";

type Pair = { readonly certificate: string; readonly key: string };

/** Certificates as `certify` keeps them, for admission in namespace `shop` and for a server on this machine. */
export type Certificates = {
  readonly ca: string;
  readonly leaf: Pair;
  /** Their Secrets' data, by name. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const base64 = ({ certificate, key }: Pair): Readonly<Record<string, string>> => ({
  "tls.crt": Buffer.from(certificate).toString("base64"),
  "tls.key": Buffer.from(key).toString("base64"),
});

export const makeCertificates = async (): Promise<Certificates> => {
  const ca = await issueCa(new Date());
  const names = ["admission.shop.svc", "admission", "admission.shop", "admission.shop.svc.cluster.local"];
  const leaf = await issueLeaf(ca, [...names, "localhost"], new Date());
  return {
    ca: ca.certificate,
    leaf,
    secrets: { "sampledb-ca": base64(ca), "sampledb-admission-tls": base64(leaf) },
  };
};
