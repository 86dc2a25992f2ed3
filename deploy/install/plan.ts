import { isDeployed, STACK, type StackFunction } from "../openfaas/stack.ts";
import { CRDS } from "../shared/platform.ts";
import { nameOf, type KubeObject } from "../shared/rendered.ts";
import type { Step } from "../shared/step.ts";

/** What the plan depends on. */
export type Situation = {
  readonly namespace: string;
  /** The rendered overlay, and how one would render it. */
  readonly text: string;
  readonly shown: string;
  readonly isCrdAsItShouldBe: boolean;
  /** Nothing of the overlay differs, and its certificate is made. */
  readonly isOverlayAsItShouldBe: boolean;
  /** The Job that makes the certificate is there, of a run that did not end: what a Job runs cannot be changed. */
  readonly hasInstallJob: boolean;
  readonly leftovers: readonly KubeObject[];
  /** Undefined on other platforms. */
  readonly openFaas?: {
    readonly image: string;
    readonly functions: readonly StackFunction[];
    readonly objects: readonly KubeObject[];
    readonly hasCallerSecret: boolean;
    readonly newSecret: () => string;
  };
};

const kubectl = (title: string, ...args: readonly string[]): Step => ({ do: "kubectl", title, args });

const crdSteps = ({ isCrdAsItShouldBe }: Situation): readonly Step[] =>
  isCrdAsItShouldBe
    ? []
    : [
        kubectl("apply the CRD", "apply", "-k", CRDS),
        kubectl(
          "wait until the API server has it",
          "wait",
          "--for=condition=Established",
          "crd/sampledbs.sampledb.dev",
          "--timeout=300s",
        ),
      ];

const secretSteps = ({ namespace, openFaas }: Situation): readonly Step[] =>
  openFaas === undefined || openFaas.hasCallerSecret
    ? []
    : [
        {
          do: "kubectl",
          title: "make the secret that callers of the functions prove themselves by",
          args: ["create", "-f", "-"],
          input: JSON.stringify({
            apiVersion: "v1",
            kind: "Secret",
            metadata: { name: "sampledb-caller", namespace },
            stringData: { "sampledb-caller": openFaas.newSecret() },
          }),
          shown: `printf 'Secret ${namespace}/sampledb-caller, key sampledb-caller: 32 random bytes in hex'`,
        },
      ];

const overlaySteps = ({ namespace, text, shown, ...situation }: Situation): readonly Step[] => {
  if (situation.isOverlayAsItShouldBe) return [];
  const job = kubectl(
    "remove the Job of a run that did not end",
    "delete",
    "job",
    "certify-install",
    "-n",
    namespace,
    "--ignore-not-found",
  );
  return [
    ...(situation.hasInstallJob ? [job] : []),
    { do: "kubectl", title: "apply the overlay", args: ["apply", "-f", "-"], input: text, shown },
  ];
};

const leftoverSteps = ({ namespace, leftovers }: Situation): readonly Step[] =>
  leftovers.map(({ apiVersion, kind, metadata }) => {
    const [group, version = group] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    const resource = group === "" ? kind.toLowerCase() : `${kind.toLowerCase()}.${version}.${group}`;
    const title = `remove ${nameOf({ apiVersion, kind, metadata })}, which is not of this overlay any more`;
    return kubectl(title, "delete", resource, metadata.name, "-n", namespace, "--ignore-not-found");
  });

const functionSteps = ({ namespace, openFaas }: Situation): readonly Step[] => {
  if (openFaas === undefined) return [];
  const { image, functions, objects } = openFaas;
  if (functions.every((each) => isDeployed(each, image, { objects, namespace }))) return [];
  return [
    {
      do: "await",
      title: "wait for the certificate, which a function mounts",
      args: ["secret", "sampledb-admission-tls", "-n", namespace],
    },
    {
      do: "faas-cli",
      title: "deploy the functions",
      args: ["deploy", "-f", STACK],
      env: { SAMPLEDB_IMAGE: image },
    },
    ...functions.map(({ name, patchFile }) =>
      kubectl(`patch ${name}`, "patch", "deployment", name, "-n", namespace, "--patch-file", patchFile),
    ),
  ];
};

/** What is to be done, in order. Nothing, where all is as it should be. */
export const planOf = (situation: Situation): readonly Step[] => [
  ...crdSteps(situation),
  ...secretSteps(situation),
  ...overlaySteps(situation),
  ...functionSteps(situation),
  ...leftoverSteps(situation),
];
