import { childMetadata } from "../shared/api/child-metadata.ts";
import type { Writable } from "../shared/kube/action.ts";
import { podSelector } from "./pod-selector.ts";
import { PORT, type Subject } from "./subject.ts";

/** The Service that clients connect to. */
export const service = (subject: Subject): Writable => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: childMetadata(subject, subject.names.service),
  spec: {
    type: "ClusterIP",
    selector: podSelector(subject),
    ports: [{ name: "postgresql", protocol: "TCP", port: PORT, targetPort: "postgresql" }],
  },
});
