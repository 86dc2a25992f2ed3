import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import type { Workload } from "./workload.ts";

/** Of a Knative Service's template, and of no pod's. */
const KNATIVE_ONLY = new Set(["containerConcurrency", "timeoutSeconds"]);

const withPort = (value: unknown): unknown => (typeof value === "object" ? { port: 8080, ...value } : value);

/** A pod as the platform makes it of a workload, without what stands beside the function (Knative's queue-proxy). */
export const podOf = ({ name, namespace, maker, labels, pod }: Workload): KubeObject => {
  const fields = Object.entries(pod).filter(([field]) => maker !== "Knative" || !KNATIVE_ONLY.has(field));
  // Knative fills in the port.
  const spec: object = JSON.parse(
    JSON.stringify(Object.fromEntries(fields), (field, value: unknown) =>
      maker === "Knative" && field === "httpGet" ? withPort(value) : value,
    ),
  );
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace, labels }, spec };
};
