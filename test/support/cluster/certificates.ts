import { webcrypto } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";

import "reflect-metadata"; // @peculiar/x509 does not load without it
import * as x509 from "@peculiar/x509";

x509.cryptoProvider.set(webcrypto);

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const pem = async (format: "pkcs8" | "spki", key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(
    await webcrypto.subtle.exportKey(format, key),
    format === "pkcs8" ? "PRIVATE KEY" : "PUBLIC KEY",
  );

const validity = (): { notBefore: Date; notAfter: Date } => {
  const day = 24 * 60 * 60 * 1000;
  // An hour back, so that a clock that is set meanwhile does no harm.
  return { notBefore: new Date(Date.now() - day / 24), notAfter: new Date(Date.now() + 30 * day) };
};

type Leaf = { readonly file: string; readonly subject: string; readonly names: readonly string[] };

/** Who speaks to the API server, and as whom: the names that Kubernetes' own roles are bound to, where there are some. */
const clients = {
  admin: "O=system:masters, CN=admin",
  "kube-controller-manager": "CN=system:kube-controller-manager",
  "kube-scheduler": "CN=system:kube-scheduler",
  "kube-proxy": "CN=system:kube-proxy",
  kubelet: "O=system:nodes, CN=system:node:node1",
  "kubelet-client": "CN=kube-apiserver-kubelet-client",
  coredns: "O=system:masters, CN=coredns",
  "local-path-provisioner": "O=system:masters, CN=local-path-provisioner",
} as const;

type ClientName = keyof typeof clients;

/** The clients that read a kubeconfig. */
export const kubeconfigNames = [
  "admin",
  "kube-controller-manager",
  "kube-scheduler",
  "kube-proxy",
  "kubelet",
  "coredns",
  "local-path-provisioner",
] as const satisfies readonly ClientName[];

const leaves = (addresses: readonly string[]): Leaf[] => [
  {
    file: "apiserver",
    subject: "CN=kube-apiserver",
    names: [
      ...addresses,
      "localhost",
      "kubernetes",
      "kubernetes.default",
      "kubernetes.default.svc",
      "kubernetes.default.svc.cluster.local",
    ],
  },
  ...Object.entries(clients).map(([file, subject]) => ({
    file,
    subject,
    names: file === "kubelet" ? [...addresses, "node1"] : [],
  })),
];

/**
 * Makes a certificate authority and every certificate of a cluster in `folder`: `ca.crt`, `<name>.crt`, `<name>.key`, and
 * the key pair of service account tokens, `sa.key` and `sa.pub`. Valid for 30 days.
 */
export const makeCertificates = async (folder: string, addresses: readonly string[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const save = (file: string, text: string): Promise<void> =>
    writeFile(join(folder, file), text, { mode: 0o600 });
  const caKeys = await newKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=local-cluster-ca",
    keys: caKeys,
    signingAlgorithm: algorithm,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const makeLeaf = async ({ file, subject, names }: Leaf): Promise<void> => {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(),
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([
          x509.ExtendedKeyUsage.clientAuth,
          x509.ExtendedKeyUsage.serverAuth,
        ]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value }) as const),
        ),
      ].slice(0, names.length === 0 ? 2 : 3),
    });
    await save(`${file}.crt`, certificate.toString("pem"));
    await save(`${file}.key`, await pem("pkcs8", keys.privateKey));
  };
  const saKeys = await newKeys();
  await Promise.all([
    save("ca.crt", ca.toString("pem")),
    pem("pkcs8", caKeys.privateKey).then((text) => save("ca.key", text)),
    pem("pkcs8", saKeys.privateKey).then((text) => save("sa.key", text)),
    pem("spki", saKeys.publicKey).then((text) => save("sa.pub", text)),
    ...leaves(addresses).map(makeLeaf),
  ]);
};

/** Writes `<folder>/<name>.kubeconfig` with everything embedded and gives its path; `pki` is where the certificates are. */
export const writeKubeconfig = async (
  folder: string,
  name: ClientName,
  server: string,
  read: (file: string) => Promise<string>,
): Promise<string> => {
  const encoded = async (file: string): Promise<string> => Buffer.from(await read(file)).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server, "certificate-authority-data": await encoded("ca.crt") } }],
    users: [
      {
        name,
        user: {
          "client-certificate-data": await encoded(`${name}.crt`),
          "client-key-data": await encoded(`${name}.key`),
        },
      },
    ],
    contexts: [{ name: "local", context: { cluster: "local", user: name } }],
    "current-context": "local",
  };
  const path = join(folder, `${name}.kubeconfig`);
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return path;
};
