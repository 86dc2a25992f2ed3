import { listAt, textAt } from "../shared/rendered.ts";
import { notRunning } from "./deployments.ts";
import { type Finding, missing, warning } from "./finding.ts";
import { objectSeen, type Seen } from "./seen.ts";

/** Longer than our functions take; the watchdog answers 504 before (stack.yaml). */
const FUNCTION_SECONDS = 22;
const CHART =
  "helm upgrade openfaas openfaas/openfaas -n openfaas --reuse-values -f manifests/overlays/openfaas/chart-values.yaml";
const LOG_IN =
  "kubectl port-forward -n openfaas service/gateway 8080:8080, and in another terminal: kubectl get secret -n openfaas basic-auth -o jsonpath='{.data.basic-auth-password}' | base64 -d | faas-cli login --password-stdin (OPENFAAS_URL names another gateway)";

/** A variable of any container of the gateway's pod, in which the provider runs too. */
const gatewayEnv = (seen: Seen, name: string): string => {
  const gateway = objectSeen(seen, "Deployment", "gateway", "openfaas");
  const containers = listAt(gateway, "spec", "template", "spec", "containers");
  const variables = containers.flatMap((container) => listAt(container, "env"));
  return textAt(
    variables.find((variable) => textAt(variable, "name") === name),
    "value",
  );
};

/** A duration as Go writes it (`1m5s`), in seconds; NaN when it is none. */
const secondsOf = (duration: string): number => {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/u.exec(duration);
  if (parts === null || duration === "") return Number.NaN;
  return Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
};

const gatewayFindings = (seen: Seen): readonly Finding[] => {
  const faults = notRunning(seen, "openfaas", ["gateway"]);
  if (faults.length > 0)
    return [
      missing(
        "OpenFaaS at work",
        faults.join("; "),
        "install it: https://docs.openfaas.com/deployment/kubernetes",
      ),
    ];
  const service = objectSeen(seen, "Service", "gateway", "openfaas");
  const exposed = ["gateway", "gateway-external"].find(
    (name) =>
      !["", "ClusterIP"].includes(textAt(objectSeen(seen, "Service", name, "openfaas"), "spec", "type")),
  );
  const upstream = gatewayEnv(seen, "upstream_timeout");
  return [
    ...(service === undefined ? [missing("the Service openfaas/gateway", "there is none", CHART)] : []),
    ...(exposed === undefined
      ? []
      : [
          warning(
            "a gateway inside the cluster alone",
            `Service ${exposed} opens it: whoever gets there may call every function`,
            CHART,
          ),
        ]),
    ...(secondsOf(upstream) <= FUNCTION_SECONDS
      ? [
          warning(
            `a gateway that waits longer than ${FUNCTION_SECONDS} s`,
            `upstream_timeout ${upstream}`,
            CHART,
          ),
        ]
      : []),
  ];
};

const namespaceFindings = (seen: Seen, namespace: string): readonly Finding[] => {
  const set = gatewayEnv(seen, "function_namespace");
  if (set !== "" && set !== namespace)
    return [
      missing(`functions in the namespace ${namespace}`, `OpenFaaS has them in ${set}`, `--namespace ${set}`),
    ];
  return objectSeen(seen, "Namespace", namespace) === undefined
    ? [
        missing(
          `the namespace ${namespace}, where OpenFaaS has its functions`,
          "there is none",
          "install OpenFaaS, or say with --namespace where it has them",
        ),
      ]
    : [];
};

const cliFindings = ({ faasCli, objects }: Seen, namespace: string): readonly Finding[] => {
  if (faasCli?.version === undefined)
    return [
      missing(
        "faas-cli",
        "there is no such program on the PATH",
        "install it: https://docs.openfaas.com/cli/install",
      ),
    ];
  const { functions, complaint } = faasCli;
  if (functions === undefined) return [missing("a gateway that faas-cli may use", complaint, LOG_IN)];
  const here = new Set(
    objects
      .filter(({ kind, metadata }) => kind === "Deployment" && metadata.namespace === namespace)
      .map(({ metadata }) => metadata.name),
  );
  const strange = functions.filter((name) => !here.has(name));
  return strange.length === 0
    ? []
    : [
        missing(
          "one cluster",
          `faas-cli's gateway has functions that are not in ${namespace} here: ${strange.join(", ")}`,
          "faas-cli and kubectl look at different clusters: choose with --context and OPENFAAS_URL",
        ),
      ];
};

/** What SampleDB needs of OpenFaaS; `namespace` is where its functions are. */
export const openFaasFindings = (seen: Seen, namespace: string): readonly Finding[] => [
  ...gatewayFindings(seen),
  ...namespaceFindings(seen, namespace),
  ...cliFindings(seen, namespace),
];
