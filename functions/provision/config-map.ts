import { childMetadata } from "../shared/api/child-metadata.ts";
import type { Writable } from "../shared/kube/action.ts";
import { START_SCRIPT } from "./start-script.ts";
import type { Subject } from "./subject.ts";

/** Key that tells the start script whether there must be data on the volume. */
export const INITIALIZED_KEY = "initialized";

/** What the database pod finds in /etc/sampledb. The kubelet carries changes into running pods: none of them restarts one. */
export const configMap = (subject: Subject, isInitialized: boolean): Writable => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: childMetadata(subject, subject.names.configMap),
  data: { "start.sh": START_SCRIPT, [INITIALIZED_KEY]: String(isInitialized) },
});
