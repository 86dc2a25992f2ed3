import { childMetadata } from "../shared/api/child-metadata.ts";
import type { Writable } from "../shared/kube/action.ts";
import { podSelector } from "./pod-selector.ts";
import { PORT, type Subject } from "./subject.ts";

/** The Service that a StatefulSet needs to name its pods; it also lists a pod that is not ready. */
export const headlessService = (subject: Subject): Writable => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: childMetadata(subject, subject.names.headlessService),
  spec: {
    type: "ClusterIP",
    clusterIP: "None",
    publishNotReadyAddresses: true,
    selector: podSelector(subject),
    ports: [{ name: "postgresql", protocol: "TCP", port: PORT, targetPort: "postgresql" }],
  },
});
