import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import { judgeAdoption, volumeFacts } from "../shared/api/volume.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { PersistentVolumeClaim, Secret } from "../shared/kube/kinds.ts";
import { planSecrets, secretOwner } from "./plan-secrets.ts";
import type { Subject } from "./subject.ts";

/** Whether the found claim is this SampleDB's own, one to take over, or one to leave alone (`report` says why). */
export const judgeFound = (
  subject: Subject,
  claim: PersistentVolumeClaim,
  secrets: readonly Secret[],
): "own" | "adopt" | "leave" => {
  const { verdict } = judgeAdoption(subject.uid, subject.spec, volumeFacts(claim.metadata ?? {}), {
    owner: secretOwner(secrets, subject.names.secret),
    superuser: secretOwner(secrets, subject.names.superuserSecret),
  });
  if (verdict === "own") return "own";
  // A claim that is on its way out is not there to be taken: its end is an event.
  return verdict === "adopt" && claim.metadata?.deletionTimestamp === undefined ? "adopt" : "leave";
};

/** Takes over what a deleted SampleDB of this name left: the Secrets first, so that the claim, once ours, has its credentials. */
export const planAdoption = (
  subject: Subject,
  claim: PersistentVolumeClaim,
  secrets: readonly Secret[],
): readonly Action[] => [
  ...planSecrets(subject, secrets, undefined),
  {
    do: "merge",
    ref: refOf("PersistentVolumeClaim", claim),
    patch: {
      metadata: {
        labels: { [LABEL.retained]: null },
        annotations: { [ANNOTATION.ownerUid]: subject.uid, [ANNOTATION.state]: "active" },
      },
    },
  },
];
