import { childLabels, childMetadata } from "../shared/api/child-metadata.ts";
import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import type { InitScript } from "../shared/api/sampledb.ts";
import type { Writable } from "../shared/kube/action.ts";
import type { Job } from "../shared/kube/kinds.ts";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "../shared/kube/restricted.ts";
import { INIT_SCRIPT } from "./init-script.ts";
import type { Task } from "./task.ts";

type JobSpec = NonNullable<Job["spec"]>;
type PodSpec = NonNullable<JobSpec["template"]["spec"]>;
type Container = PodSpec["containers"][number];

const SCRIPTS = "/etc/sampledb/init";

/** Exit codes that another try does not change: credentials refused, a script failed. */
const FINAL_EXITS = [65, 66];

/** The kubelet expands `$(NAME)` in arguments and reads `$$` as `$`. */
const unexpanded = (text: string): string => text.replaceAll("$", () => "$$");

const environment = ({ names, namespace, spec, mode }: Task): Container["env"] => [
  { name: "PGHOST", value: `${names.service}.${namespace}.svc` },
  { name: "PGPORT", value: "5432" },
  { name: "PGCONNECT_TIMEOUT", value: "10" },
  { name: "PGREQUIREAUTH", value: "scram-sha-256" },
  { name: "PGAPPNAME", value: "sampledb-init" },
  { name: "MODE", value: mode },
  { name: "DATABASE_NAME", value: spec.database.name },
  { name: "DATABASE_OWNER", value: spec.database.owner },
  { name: "SECRET_NAME", value: names.secret },
  { name: "SUPERUSER_SECRET_NAME", value: names.superuserSecret },
  {
    name: "OWNER_PASSWORD",
    valueFrom: { secretKeyRef: { name: names.secret, key: "password" } },
  },
  {
    name: "SUPERUSER_PASSWORD",
    valueFrom: { secretKeyRef: { name: names.superuserSecret, key: "password" } },
  },
];

/** A script as a file whose path says its place in the order, what it is from, and its name. */
const source = (
  { configMapKeyRef, secretKeyRef }: InitScript,
  index: number,
): { readonly configMap?: object; readonly secret?: object } => {
  const number = String(index + 1).padStart(3, "0");
  const from = (kind: string, { name, key }: { readonly name: string; readonly key: string }) => ({
    name,
    items: [{ key, path: `${number}/${kind}/${name}/${key}` }],
  });
  return {
    ...(configMapKeyRef === undefined ? {} : { configMap: from("configmap", configMapKeyRef) }),
    ...(secretKeyRef === undefined ? {} : { secret: from("secret", secretKeyRef) }),
  };
};

const container = (task: Task): Container => {
  const hasScripts = task.scripts.length > 0;
  return {
    name: "init",
    image: task.image,
    imagePullPolicy: "IfNotPresent",
    command: ["bash", "-c"],
    args: [unexpanded(INIT_SCRIPT)],
    workingDir: hasScripts ? SCRIPTS : "/tmp",
    env: environment(task) ?? [],
    resources: {
      requests: { cpu: "50m", memory: "64Mi" },
      limits: { cpu: "500m", memory: "256Mi" },
    },
    securityContext: RESTRICTED_CONTAINER,
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [
      { name: "tmp", mountPath: "/tmp" },
      ...(hasScripts ? [{ name: "scripts", mountPath: SCRIPTS, readOnly: true }] : []),
    ],
  };
};

const podSpec = (task: Task): PodSpec => ({
  restartPolicy: "Never",
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: RESTRICTED_POD,
  containers: [container(task)],
  volumes: [
    { name: "tmp", emptyDir: {} },
    ...(task.scripts.length > 0
      ? [{ name: "scripts", projected: { sources: task.scripts.map(source) } }]
      : []),
  ],
});

/** The init Job: made once; what it did is told by the claim's annotations and the database's own table. */
export const initJob = (task: Task): Writable => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: childMetadata(task, task.names.initJob, {
    annotations: {
      [ANNOTATION.inputs]: task.inputs,
      [ANNOTATION.initScripts]: task.digest,
      [ANNOTATION.credentials]: task.credentials,
    },
  }),
  spec: {
    backoffLimit: 6,
    // Also where a sidecar never ends.
    activeDeadlineSeconds: 3600,
    podFailurePolicy: {
      rules: [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        { action: "FailJob", onExitCodes: { operator: "In", values: FINAL_EXITS } },
      ],
    },
    template: {
      metadata: { labels: { ...childLabels(task), [LABEL.role]: "init" } },
      spec: podSpec(task),
    },
  },
});
