import { childMetadata } from "../shared/api/child-metadata.ts";
import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import type { Writable } from "../shared/kube/action.ts";
import { type Running, podTemplate } from "./pod-template.ts";
import type { Subject } from "./subject.ts";

/** Instance 1. Parallel, so that a corrected template replaces a pod that never became Ready. */
export const statefulSet = (subject: Subject, running: Running): Writable => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: childMetadata(subject, subject.names.statefulSet, {
    labels: { [LABEL.instance]: "1" },
    // It is written last, so this says that all of that spec was. In the pod template it would restart the database.
    annotations: { [ANNOTATION.generation]: `${subject.generation}` },
  }),
  spec: {
    replicas: 1,
    serviceName: subject.names.headlessService,
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate" },
    revisionHistoryLimit: 2,
    selector: { matchLabels: { [LABEL.database]: subject.name, [LABEL.instance]: "1" } },
    template: podTemplate(subject, running),
  },
});
