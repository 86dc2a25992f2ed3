import { isFromCertManager } from "../shared/issuer.ts";
import { listAt, textAt } from "../shared/rendered.ts";
import { type Finding, missing } from "./finding.ts";
import type { Seen } from "./seen.ts";

const INSTALL =
  "install it: https://cert-manager.io/docs/installation (or leave the certificate to certify: --cert-manager no)";

/** Who makes admission's certificate in what is installed in a namespace; undefined where nothing is. */
const installedIssuer = (
  { objects }: Pick<Seen, "objects">,
  namespace: string,
): "cert-manager" | "certify" | undefined => {
  const webhooks = objects.filter(({ kind }) => kind === "MutatingWebhookConfiguration");
  if (isFromCertManager(webhooks, namespace)) return "cert-manager";
  const hasCertify = objects.some(
    (object) =>
      object.kind === "ClusterRoleBinding" &&
      object.metadata.name.startsWith("sampledb-certify") &&
      listAt(object, "subjects").some((subject) => textAt(subject, "namespace") === namespace),
  );
  return hasCertify ? "certify" : undefined;
};

const isReady = ({ objects }: Seen, name: string): boolean =>
  objects.some(
    ({ kind, metadata, ...rest }) =>
      kind === "Deployment" &&
      metadata.labels?.["app.kubernetes.io/name"] === name &&
      Number(textAt(rest, "status", "readyReplicas")) > 0,
  );

/** Whether cert-manager is at work, where it is to make the certificate, and whether who makes it would change. */
export const certManagerFindings = (
  seen: Seen,
  {
    isWanted,
    isServed,
    namespace,
    command,
  }: {
    readonly isWanted: boolean;
    readonly isServed: boolean;
    readonly namespace: string;
    readonly command: string;
  },
): readonly Finding[] => {
  const parts =
    isWanted && isServed ? ["cert-manager", "cainjector"].filter((name) => !isReady(seen, name)) : [];
  const installed = installedIssuer(seen, namespace);
  const wanted = isWanted ? "cert-manager" : "certify";
  return [
    ...parts.map((name) =>
      missing(
        `${name === "cainjector" ? "cert-manager's cainjector" : name} at work`,
        `no Deployment labelled app.kubernetes.io/name=${name} has a ready pod`,
        INSTALL,
      ),
    ),
    ...(installed === undefined || installed === wanted
      ? []
      : [
          missing(
            `${wanted} as the maker of admission's certificate from the start`,
            `what is installed has it from ${installed}`,
            `uninstall first (databases go on running): ${command}`,
          ),
        ]),
  ];
};
