import { childMetadata } from "../shared/api/child-metadata.ts";
import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import type { Writable } from "../shared/kube/action.ts";
import type { Subject } from "./subject.ts";

/**
 * The first claim. What will be on its volume is written on it from the start. ReadWriteOnce, not ReadWriteOncePod: only CSI drivers
 * know the latter, a class does not say whether its driver does, and a StatefulSet of one replica never runs two pods.
 */
export const claim = (subject: Subject): Writable => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: childMetadata(subject, subject.names.claim, {
    labels: { [LABEL.instance]: "1" },
    annotations: {
      [ANNOTATION.state]: "active",
      [ANNOTATION.version]: subject.spec.version,
      [ANNOTATION.databaseName]: subject.spec.database.name,
      [ANNOTATION.databaseOwner]: subject.spec.database.owner,
    },
  }),
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: subject.spec.storage.size } },
    ...(subject.spec.storage.storageClassName === undefined
      ? {}
      : { storageClassName: subject.spec.storage.storageClassName }),
  },
});
