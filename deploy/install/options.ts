import {
  CLUSTER_FLAGS,
  clusterOptions,
  type ClusterOptions,
  namespaceFlag,
  platformOf,
} from "../shared/cluster-flags.ts";
import { parseFlags, type Parsed, WrongUsage } from "../shared/flags.ts";
import { imageFault } from "../shared/image-reference.ts";
import type { Platform } from "../shared/platform.ts";

export const USAGE = `Usage: npm run deploy -- --platform kubernetes|knative|openfaas [OPTION ...]

Puts SampleDB's functions into a cluster: looks whether everything is there that they need, applies the CRD and the platform's overlay, and waits
until the cluster fills in a good SampleDB and refuses a bad one (neither is stored). It builds nothing: npm run image makes the image.
Run again, it changes what differs and nothing else. Each platform has a page: manifests/overlays/PLATFORM/README.md.

  --image REF            the functions' image, as the cluster can pull it: with a tag or, better, a digest
  --openfaas-image REF   the same with OpenFaaS' watchdog in it (needed on OpenFaaS)
  --context NAME         this context of your kubeconfig, instead of the current one
  --namespace NAME       the functions' namespace (default: sampledb-system; on OpenFaaS openfaas-fn)
  --component NAME       a component of the overlay; may be repeated
  --cert-manager WHEN    yes: cert-manager makes admission's certificate; no: certify does; auto (default): as it is
  --write FOLDER         keep the kustomization there, for GitOps; what it says already stays, and its image is used
  --older                though a newer release is installed
  --trial-namespace NAME where the two SampleDBs are tried (default: default)
  --timeout SECONDS      how long to wait until everything runs (default 600)
  --dry-run              say what would be done, and do nothing
  --help                 print this

Exit code: 0 when done, 1 when not, 2 when the command is wrong.
`;

const CERT_MANAGER = ["auto", "yes", "no"] as const;

export type DeployOptions = ClusterOptions & {
  readonly image: string | undefined;
  readonly openFaasImage: string | undefined;
  readonly certManager: (typeof CERT_MANAGER)[number];
  readonly trialNamespace: string;
  readonly mayBeOlder: boolean;
};

const FLAGS = {
  ...CLUSTER_FLAGS,
  image: { type: "string" },
  "openfaas-image": { type: "string" },
  "cert-manager": { type: "string", default: "auto" },
  older: { type: "boolean", default: false },
  "trial-namespace": { type: "string", default: "default" },
} as const;

const imageOf = (flag: string, image: string | undefined): string | undefined => {
  const fault = image === undefined ? undefined : imageFault(image);
  if (fault !== undefined) throw new WrongUsage(`--${flag}: "${image}": ${fault}`);
  return image;
};

const certManagerOf = (when: string, platform: Platform): DeployOptions["certManager"] => {
  const found = CERT_MANAGER.find((known) => known === when);
  if (found === undefined) throw new WrongUsage(`--cert-manager: "${when}": must be one of auto, yes, no`);
  if (found === "yes" && platform === "openfaas")
    throw new WrongUsage("--cert-manager: yes: is not for openfaas: there certify makes the certificate");
  return found;
};

/** Reads the command line. Paths are relative to `cwd`. */
export const parseOptions = (args: readonly string[], cwd: string): Parsed<DeployOptions> =>
  parseFlags(args, FLAGS, {
    command: "deploy",
    options: (values) => {
      const platform = platformOf(values.platform);
      const certManager = certManagerOf(values["cert-manager"], platform);
      const component = [...values.component, ...(certManager === "yes" ? ["cert-manager"] : [])];
      const shared = clusterOptions({ ...values, component }, cwd);
      const isNamed = component.includes("cert-manager");
      if (certManager === "no" && isNamed)
        throw new WrongUsage("--cert-manager: no: and --component cert-manager contradict each other");
      if (values["openfaas-image"] !== undefined && platform !== "openfaas")
        throw new WrongUsage("--openfaas-image goes with --platform openfaas");
      return {
        ...shared,
        image: imageOf("image", values.image),
        openFaasImage: imageOf("openfaas-image", values["openfaas-image"]),
        certManager: isNamed ? "yes" : certManager,
        trialNamespace: namespaceFlag("trial-namespace", values["trial-namespace"]) ?? "default",
        mayBeOlder: values.older,
      };
    },
  });
