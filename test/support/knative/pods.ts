import type { ContainerSource, KnativeService } from "./knative-objects.ts";

/** A pod as Knative makes it for a Service, without its queue-proxy. */
export const podOfService = ({ metadata, spec }: KnativeService): object => {
  const text = JSON.stringify(spec.template.spec, (field, value: unknown) =>
    field === "containerConcurrency" || field === "timeoutSeconds" ? undefined : value,
  );
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: metadata.name, namespace: metadata.namespace, labels: spec.template.metadata.labels },
    // Knative fills in the port.
    spec: JSON.parse(text.replaceAll('"httpGet":{', '"httpGet":{"port":8080,')),
  };
};

/** A pod as Knative makes it for a ContainerSource (eventing, pkg/reconciler/containersource): its labels, and what its SinkBinding adds. */
export const podOfContainerSource = ({ metadata, spec }: ContainerSource): object => {
  const {
    containers: [container],
    ...rest
  } = spec.template.spec;
  const injected = [
    { name: "K_SINK", value: `http://${spec.sink.ref.name}.${metadata.namespace}.svc.cluster.local` },
    { name: "K_CE_OVERRIDES", value: "" },
  ];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace,
      labels: {
        ...spec.template.metadata.labels,
        "sources.knative.dev/source": "container-source-controller",
        "sources.knative.dev/containerSource": metadata.name,
      },
    },
    spec: { ...rest, containers: [{ ...container, env: [...(container?.env ?? []), ...injected] }] },
  };
};
