import type { StackFunction } from "./stack.ts";

const HEALTH = {
  httpGet: { path: "/_/health", port: 8080, scheme: "HTTP" },
  initialDelaySeconds: 2,
  timeoutSeconds: 1,
  periodSeconds: 2,
  successThreshold: 1,
  failureThreshold: 3,
};

/** Every key of every listed Secret, in one folder. */
const secretVolume = (name: string, secrets: Readonly<Record<string, readonly string[]>>) => ({
  name: `${name}-projected-secrets`,
  projected: {
    sources: Object.entries(secrets).map(([secret, keys]) => ({
      secret: { name: secret, items: keys.map((key) => ({ key, path: key })) },
    })),
  },
});

const containerOf = (name: string, fn: StackFunction) => ({
  name,
  image: fn.image,
  imagePullPolicy: "Always",
  ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
  env: Object.entries(fn.environment).map(([key, value]) => ({ name: key, value })),
  resources: { requests: fn.requests, limits: fn.limits },
  livenessProbe: HEALTH,
  readinessProbe: HEALTH,
  securityContext: { readOnlyRootFilesystem: fn.readonly_root_filesystem },
  volumeMounts: [
    { name: `${name}-projected-secrets`, mountPath: "/var/openfaas/secrets", readOnly: true },
    { name: "temp", mountPath: "/tmp" },
  ],
});

/**
 * What the provider of the community edition makes of a function: a Deployment and a Service of its name. `secrets` are the listed Secrets' keys at
 * the time.
 */
export const providerObjects = (
  name: string,
  fn: StackFunction,
  secrets: Readonly<Record<string, readonly string[]>>,
) => {
  const selector = { faas_function: name };
  const { annotations } = fn;
  return {
    deployment: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "openfaas-fn", labels: selector, annotations },
      spec: {
        replicas: Number(fn.labels["com.openfaas.scale.min"] ?? 1),
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: { ...selector, ...fn.labels }, annotations },
          spec: {
            containers: [containerOf(name, fn)],
            volumes: [secretVolume(name, secrets), { name: "temp", emptyDir: {} }],
          },
        },
      },
    },
    service: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "openfaas-fn", annotations },
      spec: {
        type: "ClusterIP",
        selector,
        ports: [{ name: "http", protocol: "TCP", port: 8080, targetPort: 8080 }],
      },
    },
  };
};
