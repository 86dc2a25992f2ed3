import type { Check } from "../build.ts";
import { containersOf } from "../workload.ts";
import type { Container, Workload } from "../workload.ts";

const PATHS = { startupProbe: "/healthz", readinessProbe: "/readyz", livenessProbe: "/healthz" } as const;
type Name = keyof typeof PATHS;

const ofProbe = (container: Container, name: Name, isNeeded: boolean): readonly string[] => {
  const get = container[name]?.httpGet;
  if (get === undefined) return isNeeded ? [`${name} is missing`] : [];
  const ports = (container.ports ?? []).flatMap((port) => [port.name, port.containerPort]);
  const isTls = (container.env ?? []).some((each) => each.name === "TLS_CERT_FILE");
  return [
    ...(get.path === PATHS[name] ? [] : [`${name}.httpGet.path: ${get.path} is not ${PATHS[name]}`]),
    ...(get.port === undefined || ports.includes(get.port)
      ? []
      : [`${name}.httpGet.port: no port is ${get.port}`]),
    ...((get.scheme === "HTTPS") === isTls ? [] : [`${name}.httpGet.scheme does not fit TLS_CERT_FILE`]),
  ];
};

const ofContainer = ({ maker }: Workload, container: Container): readonly string[] => {
  const isServer = (container.ports ?? []).length > 0;
  return [
    // Knative asks readiness from the start.
    ...ofProbe(container, "startupProbe", isServer && maker === "Kubernetes"),
    ...ofProbe(container, "readinessProbe", isServer),
    ...ofProbe(container, "livenessProbe", isServer),
  ];
};

/** What listens is asked whether it is ready and whether it lives, where the functions answer that. OpenFaaS asks its own watchdog. */
export const probes: Check = ({ workloads }) =>
  workloads
    .filter(({ maker }) => maker !== "OpenFaaS")
    .flatMap((workload) =>
      containersOf(workload).flatMap(([at, container]) =>
        ofContainer(workload, container).map((fault) => `${workload.what}: ${at}.${fault}`),
      ),
    );
