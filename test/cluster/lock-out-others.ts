import { widgetsCrd } from "./widgets-crd.ts";

/** One object of every usual kind, none of them SampleDB's, as small as the API server takes it. */

const NAME = "sweep";
const LABELS = { app: NAME };

const object = (apiVersion: string, kind: string, more: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: NAME },
  ...more,
});

// Passes Pod Security "restricted", which the functions' namespace enforces.
const POD = {
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
  containers: [
    {
      name: "c",
      image: "example.com/shop:1",
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    },
  ],
};
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD };
const WORKLOAD = { selector: { matchLabels: LABELS }, template: TEMPLATE };
const JOB = { template: { ...TEMPLATE, spec: { ...POD, restartPolicy: "Never" } } };
const STORAGE = { requests: { storage: "1Mi" } };
const ROLE_REF = { apiGroup: "rbac.authorization.k8s.io", name: NAME };
const RBAC = "rbac.authorization.k8s.io/v1";
const REGISTRATION = "admissionregistration.k8s.io/v1";

const NAMESPACED: readonly object[] = [
  object("v1", "ConfigMap"),
  object("v1", "Secret", { stringData: { key: "value" } }),
  object("v1", "ServiceAccount"),
  object("v1", "Service", { spec: { ports: [{ port: 80 }] } }),
  object("v1", "LimitRange", { spec: { limits: [] } }),
  object("v1", "PersistentVolumeClaim", { spec: { accessModes: ["ReadWriteOnce"], resources: STORAGE } }),
  object("v1", "Pod", { spec: POD }),
  object("v1", "PodTemplate", { template: TEMPLATE }),
  object("v1", "ReplicationController", { spec: { replicas: 0, selector: LABELS, template: TEMPLATE } }),
  object("v1", "ResourceQuota", { spec: { hard: { pods: "999" } } }),
  object("apps/v1", "Deployment", { spec: WORKLOAD }),
  object("apps/v1", "ReplicaSet", { spec: { replicas: 0, ...WORKLOAD } }),
  object("apps/v1", "StatefulSet", { spec: { serviceName: NAME, ...WORKLOAD } }),
  object("apps/v1", "DaemonSet", { spec: WORKLOAD }),
  object("batch/v1", "Job", { spec: JOB }),
  object("batch/v1", "CronJob", { spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: JOB } } }),
  object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: NAME } },
  }),
  object("policy/v1", "PodDisruptionBudget", { spec: { selector: { matchLabels: LABELS } } }),
  object("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: { matchLabels: LABELS } } }),
  object("networking.k8s.io/v1", "Ingress", {
    spec: { defaultBackend: { service: { name: NAME, port: { number: 80 } } } },
  }),
  object("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: NAME } }),
  object("discovery.k8s.io/v1", "EndpointSlice", { addressType: "IPv4", endpoints: [] }),
  object(RBAC, "Role", { rules: [] }),
  object(RBAC, "RoleBinding", { roleRef: { ...ROLE_REF, kind: "Role" } }),
];

/** One of every usual kind in `namespace`. */
export const othersIn = (namespace: string): readonly object[] =>
  NAMESPACED.map((each) => Object.assign({}, each, { metadata: { name: NAME, namespace } }));

const hook = { name: "sweep.example.com", admissionReviewVersions: ["v1"], sideEffects: "None" };
const webhooks = [{ ...hook, rules: [], clientConfig: { url: "https://example.com/" } }];

/** One of every usual kind that has no namespace, and a Namespace. */
export const othersOfCluster: readonly object[] = [
  object("v1", "Namespace"),
  object("v1", "Node"),
  object("v1", "PersistentVolume", {
    spec: { capacity: { storage: "1Mi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp" } },
  }),
  object("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/none" }),
  object("storage.k8s.io/v1", "CSIDriver", { spec: {} }),
  object("scheduling.k8s.io/v1", "PriorityClass", { value: 1 }),
  object("node.k8s.io/v1", "RuntimeClass", { handler: NAME }),
  object("networking.k8s.io/v1", "IngressClass", { spec: { controller: "example.com/none" } }),
  object(RBAC, "ClusterRole", { rules: [] }),
  object(RBAC, "ClusterRoleBinding", { roleRef: { ...ROLE_REF, kind: "ClusterRole" } }),
  object(REGISTRATION, "MutatingWebhookConfiguration", { webhooks }),
  object(REGISTRATION, "ValidatingWebhookConfiguration", { webhooks }),
  object(REGISTRATION, "ValidatingAdmissionPolicy", {
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["example.com"], apiVersions: ["*"], operations: ["*"], resources: ["*"] },
        ],
      },
      validations: [{ expression: "true" }],
    },
  }),
  object(REGISTRATION, "ValidatingAdmissionPolicyBinding", {
    spec: { policyName: NAME, validationActions: ["Audit"] },
  }),
  widgetsCrd,
];
