import { childLabels } from "../shared/api/child-metadata.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { StatefulSet } from "../shared/kube/kinds.ts";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "../shared/kube/restricted.ts";
import { podSelector } from "./pod-selector.ts";
import { PORT, type Subject } from "./subject.ts";

/** What the pod template takes from the claim and the catalog: the data's major version and the image that runs it. */
export type Running = { readonly claim: string; readonly version: string; readonly image: string };

type Template = NonNullable<StatefulSet["spec"]>["template"];
type PodSpec = NonNullable<Template["spec"]>;
type Container = PodSpec["containers"][number];

const SOCKETS = "/var/run/postgresql";
const IS_READY = ["pg_isready", "--quiet", `--host=${SOCKETS}`, "--username=postgres", "--dbname=postgres"];

// Up to a day of crash recovery; asked every second, so that Ready comes as soon as it is true. The kubelet asks for readiness right after.
const startupProbe: Container["startupProbe"] = {
  exec: { command: IS_READY },
  periodSeconds: 1,
  timeoutSeconds: 5,
  failureThreshold: 86_400,
};

const readinessProbe: Container["readinessProbe"] = {
  exec: { command: IS_READY },
  periodSeconds: 5,
  timeoutSeconds: 5,
  failureThreshold: 3,
};

// A server that answers "starting up" (pg_isready: 1) is recovering after a crash of one of its processes: killing it would begin that anew.
const livenessProbe: Container["livenessProbe"] = {
  exec: { command: ["bash", "-c", `${IS_READY.join(" ")} --timeout=10; [ $? -le 1 ]`] },
  periodSeconds: 10,
  timeoutSeconds: 15,
  failureThreshold: 6,
};

const volumes = (subject: Subject, claim: string): PodSpec["volumes"] => [
  { name: "data", persistentVolumeClaim: { claimName: claim } },
  { name: "config", configMap: { name: subject.names.configMap } },
  { name: "sockets", emptyDir: {} },
  { name: "tmp", emptyDir: {} },
  { name: "shm", emptyDir: { medium: "Memory" } },
];

const container = (subject: Subject, { version, image }: Running): Container => ({
  name: "postgres",
  image,
  imagePullPolicy: "IfNotPresent",
  command: ["bash", "/etc/sampledb/start.sh"],
  env: [
    { name: "PGDATA", value: "/data/pgdata" },
    { name: "SAMPLEDB_VERSION", value: version },
    {
      name: "SUPERUSER_PASSWORD",
      // Optional: only an empty volume needs it, and a lost Secret must not keep existing data from being served.
      valueFrom: { secretKeyRef: { name: subject.names.superuserSecret, key: "password", optional: true } },
    },
  ],
  ports: [{ name: "postgresql", containerPort: PORT, protocol: "TCP" }],
  resources: { requests: subject.spec.resources.requests, limits: subject.spec.resources.limits },
  startupProbe,
  readinessProbe,
  livenessProbe,
  securityContext: RESTRICTED_CONTAINER,
  terminationMessagePolicy: "FallbackToLogsOnError",
  volumeMounts: [
    { name: "data", mountPath: "/data" },
    { name: "config", mountPath: "/etc/sampledb", readOnly: true },
    { name: "sockets", mountPath: SOCKETS },
    { name: "tmp", mountPath: "/tmp" },
    { name: "shm", mountPath: "/dev/shm" },
  ],
});

/**
 * The database pod: a pure function of spec, catalog and what is known of the claim. Any change here restarts every database
 * when the functions are upgraded, so a test holds it against a golden file.
 */
export const podTemplate = (subject: Subject, running: Running): Template => ({
  metadata: {
    labels: { ...childLabels(subject), ...podSelector(subject), [LABEL.instance]: "1" },
  },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // PostgreSQL's fast shutdown (the image's stop signal) writes a checkpoint first.
    terminationGracePeriodSeconds: 120,
    securityContext: { ...RESTRICTED_POD, fsGroup: 999, fsGroupChangePolicy: "OnRootMismatch" },
    containers: [container(subject, running)],
    volumes: volumes(subject, running.claim) ?? [],
  },
});
