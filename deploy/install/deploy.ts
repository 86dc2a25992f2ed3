import { randomBytes } from "node:crypto";
import { areChanges, type Change, changesIn, countsOf, rehearse } from "./changes.ts";
import { findingsOf } from "./judge.ts";
import { leftoversIn, ourObjects } from "./leftovers.ts";
import type { DeployOptions } from "./options.ts";
import { planOf, type Situation } from "./plan.ts";
import { prepare, type Release } from "./prepare.ts";
import { tryAdmission } from "../check/trial.ts";
import { untilReady } from "../check/until-ready.ts";
import { lookAtFaasCli } from "../openfaas/faas-cli.ts";
import { stackFunctions } from "../openfaas/stack.ts";
import { findingText } from "../prerequisites/finding.ts";
import { refusedTo } from "../prerequisites/may-i.ts";
import { readSeen } from "../prerequisites/read-seen.ts";
import { objectSeen, type Seen } from "../prerequisites/seen.ts";
import { carryOut } from "../shared/carry-out.ts";
import { checkContext } from "../shared/context.ts";
import { Failure } from "../shared/failure.ts";
import { CRDS, overlayOf } from "../shared/platform.ts";
import { type KubeObject, nameOf, objectsIn } from "../shared/rendered.ts";
import { servedAs } from "../shared/served-kinds.ts";
import { type Step, tellSteps } from "../shared/step.ts";
import type { Tools } from "../shared/tools.ts";

type Look = {
  readonly seen: Seen;
  readonly crd: readonly Change[];
  readonly overlay: readonly Change[];
};

/** Only a run of certify ends these, so an apply brings them back each time. */
const isOfInstall = ({ kind, metadata }: KubeObject): boolean =>
  (kind === "Job" && metadata.name === "certify-install") ||
  (kind === "ValidatingAdmissionPolicyBinding" && metadata.name.startsWith("sampledb-install"));

const hasNamespace = ({ seen }: Pick<Look, "seen">, { namespace }: Release): boolean =>
  objectSeen(seen, "Namespace", namespace) !== undefined;

/** Looks at the cluster and judges; throws a Failure where something is missing. Changes nothing. */
const lookAt = async (options: DeployOptions, release: Release, tools: Tools): Promise<Look> => {
  const { kubectl } = tools;
  const { objects, namespace } = release;
  const { platform } = options;
  const seen = await readSeen(kubectl, namespace, async () =>
    platform === "openfaas" ? lookAtFaasCli(tools.run) : undefined,
  );
  const crds = objectsIn(await kubectl(["kustomize", CRDS]));
  const all = [...crds, ...objects];
  const refused = await refusedTo(kubectl, ["get", "create", "patch"], { objects: all, kinds: seen.kinds });
  const isThere = hasNamespace({ seen }, release);
  // What goes into a namespace that is not there yet cannot be rehearsed.
  const served = objects.filter(
    (object) =>
      servedAs(seen.kinds, object) !== undefined &&
      !isOfInstall(object) &&
      (isThere || object.metadata.namespace !== namespace),
  );
  const [crd, overlay] = await Promise.all([rehearse(kubectl, crds), rehearse(kubectl, served)]);
  const refusal = [crd.refusal, overlay.refusal].filter(Boolean).join("\n") || undefined;
  const { mayBeOlder } = options;
  const findings = findingsOf({ platform, namespace, rendered: objects, seen, refused, refusal, mayBeOlder });
  const isMissing = findings.some(({ level }) => level === "missing");
  const text = findings.map((finding) => findingText(finding)).join("");
  if (isMissing) throw new Failure(`${text}Nothing was changed.`);
  if (text !== "") tools.say(text.trimEnd());
  return { seen, crd: crd.changes, overlay: overlay.changes };
};

/** Whether the overlay stands as rendered, its certificate made, and admission at work by it. */
const isAsItShouldBe = async (
  look: Look,
  release: Release,
  options: DeployOptions,
  tools: Tools,
): Promise<boolean> => {
  const { seen, overlay } = look;
  const ours = new Set(
    release.objects.filter((object) => isOfInstall(object)).map((object) => nameOf(object)),
  );
  const isOpen = seen.objects.some((object) => ours.has(nameOf(object)));
  if (!hasNamespace(look, release) || areChanges(overlay) || isOpen) return false;
  return (await tryAdmission(tools.kubectl, options.trialNamespace)) === undefined;
};

const situationOf = async (
  look: Look,
  release: Release,
  options: DeployOptions,
  tools: Tools,
): Promise<Situation> => {
  const { seen } = look;
  const { namespace, objects, openFaasImage } = release;
  const present = hasNamespace(look, release) ? await ourObjects(tools.kubectl, seen.kinds, namespace) : [];
  const secret = ["get", "secret", "sampledb-caller", "-n", namespace, "--ignore-not-found", "-o", "name"];
  return {
    namespace,
    text: release.text,
    shown: `kubectl kustomize ${options.folder ?? overlayOf(options.platform)}`,
    isCrdAsItShouldBe: !areChanges(look.crd),
    isOverlayAsItShouldBe: await isAsItShouldBe(look, release, options, tools),
    hasInstallJob: objectSeen(seen, "Job", "certify-install", namespace) !== undefined,
    leftovers: leftoversIn(present, objects),
    ...(openFaasImage === undefined
      ? {}
      : {
          openFaas: {
            image: openFaasImage,
            functions: stackFunctions(),
            objects: seen.objects,
            hasCallerSecret: (await tools.kubectl(secret)).trim() !== "",
            newSecret: () => randomBytes(32).toString("hex"),
          },
        }),
  };
};

const tellPlan = (steps: readonly Step[], look: Look, options: DeployOptions, tools: Tools): void => {
  const changes = [...look.crd, ...look.overlay].filter(({ verb }) => verb !== "unchanged");
  for (const { name, verb } of changes) tools.say(`  would be ${verb}: ${name}`);
  tellSteps(steps, options.context, tools.say);
};

/** What OpenFaaS makes is looked at too. */
const madeByOpenFaas = ({ openFaasImage, namespace }: Release): readonly KubeObject[] =>
  openFaasImage === undefined
    ? []
    : stackFunctions().map(({ name }) => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace },
      }));

const waitFor = (release: Release, options: DeployOptions, tools: Tools): Promise<void> =>
  untilReady(
    {
      namespace: release.namespace,
      objects: [...release.objects, ...madeByOpenFaas(release)],
      images: release.images,
      trialNamespace: options.trialNamespace,
      timeoutMs: options.timeoutSeconds * 1000,
    },
    tools,
  );

/** Puts SampleDB into a cluster, or brings what is there up to date. Throws WrongUsage or a Failure. */
export const deploy = async (options: DeployOptions, tools: Tools): Promise<void> => {
  await checkContext(options.context);
  const release = await prepare(options, tools);
  tools.say(`SampleDB for ${options.platform}, in namespace ${release.namespace}`);
  const look = await lookAt(options, release, tools);
  const steps = planOf(await situationOf(look, release, options, tools));
  if (options.isDryRun) {
    tellPlan(steps, look, options, tools);
    return;
  }
  const said = await carryOut(steps, tools, options.timeoutSeconds * 1000);
  tools.say("  wait until the functions run and admission judges");
  await waitFor(release, options, tools);
  const changes = said.flatMap((text) => changesIn(text));
  tools.say(
    `Done: ${changes.length === 0 ? "everything was there already" : countsOf(changes)}. A SampleDB that says nothing is filled in, a bad one is refused.`,
  );
  tools.say(`Images: ${[...release.images].join(", ")}`);
  const kept = release.objects.find(({ kind }) => kind === "Namespace");
  if (kept !== undefined) tools.say(`Look: kubectl get pods -n ${nameOf(kept).replace("Namespace ", "")}`);
};
