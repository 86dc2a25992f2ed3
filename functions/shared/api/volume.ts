import type { CompleteSpec, ObjectMeta } from "./sampledb.ts";
import { ANNOTATION, LABEL } from "./markers.ts";

/** What is known of a volume, read from its claim: durable facts live on the object they are about. */
export type VolumeFacts = {
  readonly claim: string;
  readonly ownerUid: string | undefined;
  readonly version: string | undefined;
  readonly databaseName: string | undefined;
  readonly databaseOwner: string | undefined;
  readonly isInitialized: boolean;
  readonly initScripts: string | undefined;
  readonly credentialsVerifiedFor: string | undefined;
  /** Digest of the passwords that were tried with success. */
  readonly credentials: string | undefined;
  readonly isRetained: boolean;
};

export const volumeFacts = ({ name = "", labels = {}, annotations = {} }: ObjectMeta): VolumeFacts => ({
  claim: name,
  ownerUid: annotations[ANNOTATION.ownerUid],
  version: annotations[ANNOTATION.version],
  databaseName: annotations[ANNOTATION.databaseName],
  databaseOwner: annotations[ANNOTATION.databaseOwner],
  isInitialized: annotations[ANNOTATION.initialized] === "true",
  initScripts: annotations[ANNOTATION.initScripts],
  credentialsVerifiedFor: annotations[ANNOTATION.credentialsVerified],
  credentials: annotations[ANNOTATION.credentials],
  isRetained: labels[LABEL.retained] === "true",
});

/**
 * Whether the credentials, by their digest, are those that this SampleDB tried with success. Missing ones (undefined) are not others.
 */
export const areCredentialsVerified = (
  { credentialsVerifiedFor, credentials }: VolumeFacts,
  uid: string | undefined,
  digest: string | undefined,
): boolean =>
  credentialsVerifiedFor === uid &&
  (credentials === undefined || digest === undefined || credentials === digest);

const generationOf = (claim: { readonly metadata?: ObjectMeta }): number =>
  Number(/-(\d+)$/u.exec(claim.metadata?.name ?? "")?.[1] ?? 0);

/** The claim that serves: the highest-numbered one annotated `active`. */
export const currentClaim = <C extends { readonly metadata?: ObjectMeta }>(
  claims: readonly C[],
): C | undefined =>
  claims
    .filter((claim) => claim.metadata?.annotations?.[ANNOTATION.state] === "active")
    .toSorted((a, b) => generationOf(b) - generationOf(a))[0];

/** Whether a SampleDB may use the volume that is there: its own, somebody's it may adopt, or not, and why. */
export type Adoption =
  | { readonly verdict: "own" }
  | { readonly verdict: "adopt" }
  | { readonly verdict: "refuse"; readonly why: string };

/**
 * Judges a found volume before it is used. `secretOwners` are the owner-uid annotations of the two Secrets that were found
 * (undefined: that Secret is missing). Whether the credentials work is tried by the init Job.
 */
export const judgeAdoption = (
  uid: string,
  spec: CompleteSpec,
  facts: VolumeFacts,
  secretOwners: { readonly owner: string | undefined; readonly superuser: string | undefined },
): Adoption => {
  if (facts.ownerUid === uid) return { verdict: "own" };
  const reasons = [
    facts.version === spec.version
      ? undefined
      : `it holds PostgreSQL ${facts.version ?? "of unknown version"} data and spec.version is ${spec.version}`,
    facts.databaseName === spec.database.name
      ? undefined
      : `its database is ${facts.databaseName ?? "unknown"} and spec.database.name is ${spec.database.name}`,
    facts.databaseOwner === spec.database.owner
      ? undefined
      : `its owner role is ${facts.databaseOwner ?? "unknown"} and spec.database.owner is ${spec.database.owner}`,
    ...Object.entries(secretOwners).map(([role, owner]) =>
      owner === undefined
        ? `the ${role} role's Secret that belongs to it is missing`
        : owner === facts.ownerUid || owner === uid
          ? undefined
          : `the ${role} role's Secret belongs to another database`,
    ),
  ].filter((reason) => reason !== undefined);
  return reasons.length === 0
    ? { verdict: "adopt" }
    : {
        verdict: "refuse",
        why: `PersistentVolumeClaim ${facts.claim} cannot be adopted: ${reasons.join("; ")}.`,
      };
};
