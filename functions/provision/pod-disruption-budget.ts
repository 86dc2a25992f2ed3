import { childMetadata } from "../shared/api/child-metadata.ts";
import type { Writable } from "../shared/kube/action.ts";
import { podSelector } from "./pod-selector.ts";
import type { Subject } from "./subject.ts";

/** A single instance never blocks a drain: one may always go, and one that does not work anyway too. */
export const podDisruptionBudget = (subject: Subject): Writable => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: childMetadata(subject, subject.names.podDisruptionBudget),
  spec: {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: "AlwaysAllow",
    selector: { matchLabels: podSelector(subject) },
  },
});
