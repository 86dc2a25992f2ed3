import { certManagerFindings } from "../prerequisites/cert-manager.ts";
import { type Finding, missing } from "../prerequisites/finding.ts";
import { kindFindings } from "../prerequisites/kinds.ts";
import { knativeFindings } from "../prerequisites/knative.ts";
import { openFaasFindings } from "../prerequisites/openfaas.ts";
import { otherInstallationFindings } from "../prerequisites/other-installation.ts";
import { releaseFindings } from "../prerequisites/release.ts";
import { rightsFindings } from "../prerequisites/rights.ts";
import type { Seen } from "../prerequisites/seen.ts";
import { storageFindings } from "../prerequisites/storage.ts";
import { versionFindings } from "../prerequisites/versions.ts";
import type { Platform } from "../shared/platform.ts";
import type { KubeObject } from "../shared/rendered.ts";

/** What is judged before anything is done. */
export type Case = {
  readonly platform: Platform;
  readonly namespace: string;
  readonly rendered: readonly KubeObject[];
  readonly seen: Seen;
  /** What the API server says one may not do. */
  readonly refused: readonly string[];
  /** What it says of the manifests when it only rehearses. */
  readonly refusal: string | undefined;
  /** An older release may take the place of a newer one. */
  readonly mayBeOlder: boolean;
};

const isKind = (wanted: string) => (object: KubeObject) => object.kind === wanted;

const platformFindings = ({ platform, namespace, rendered, seen }: Case): readonly Finding[] => {
  if (platform === "knative")
    return knativeFindings(seen, { hasOwnTls: !rendered.some(isKind("DomainMapping")) });
  return platform === "openfaas" ? openFaasFindings(seen, namespace) : [];
};

const rehearsalFindings = ({ refusal, refused }: Case): readonly Finding[] =>
  refusal === undefined || refused.length > 0
    ? []
    : [
        missing(
          "manifests that this cluster takes",
          refusal,
          "mend what it says, or use an account that may do it",
        ),
      ];

/** Everything that stands in the way, or will be noticed later. What depends on what is missing is not told as well. */
export const findingsOf = (each: Case): readonly Finding[] => {
  const { platform, namespace, rendered, seen, refused } = each;
  const command = `npm run uninstall -- --platform ${platform} --namespace ${namespace}`;
  const kinds = kindFindings(rendered, seen);
  return [
    ...versionFindings(seen),
    ...kinds,
    ...(kinds.length === 0 ? platformFindings(each) : []),
    ...certManagerFindings(seen, {
      isWanted: rendered.some(isKind("Certificate")),
      isServed: kinds.length === 0,
      namespace,
      command,
    }),
    ...otherInstallationFindings(seen, { rendered, platform, namespace }),
    ...(each.mayBeOlder ? [] : releaseFindings(rendered, seen)),
    ...rightsFindings(refused),
    ...(kinds.length === 0 ? rehearsalFindings(each) : []),
    ...storageFindings(seen),
  ];
};
