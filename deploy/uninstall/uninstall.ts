import { removalFindings, sampledbsIn } from "./judge.ts";
import type { UninstallOptions } from "./options.ts";
import { uninstallPlan, webhooksOf, withoutInhabited } from "./plan.ts";
import { leftoversIn, ourObjects } from "../install/leftovers.ts";
import { namespaceIn } from "../install/prepare.ts";
import { lookAtFaasCli } from "../openfaas/faas-cli.ts";
import { findingText } from "../prerequisites/finding.ts";
import { refusedTo } from "../prerequisites/may-i.ts";
import { readSeen } from "../prerequisites/read-seen.ts";
import { objectSeen, type Seen } from "../prerequisites/seen.ts";
import { carryOut } from "../shared/carry-out.ts";
import { checkContext } from "../shared/context.ts";
import { Failure } from "../shared/failure.ts";
import { withIssuer } from "../shared/issuer.ts";
import { layersFor } from "../shared/layers.ts";
import { namespaceOf, overlayOf } from "../shared/platform.ts";
import { prepareFolder, renderFolder, writeLayers } from "../shared/prepared.ts";
import { type KubeObject, objectsIn } from "../shared/rendered.ts";
import { servedAs } from "../shared/served-kinds.ts";
import { tellSteps } from "../shared/step.ts";
import type { Tools } from "../shared/tools.ts";

/** Renders what was deployed, in a folder that nobody keeps. */
const rendered = async (options: UninstallOptions, tools: Tools): Promise<readonly KubeObject[]> => {
  await using prepared = await prepareFolder(options.folder, { isDryRun: true });
  const namespace = options.namespace ?? namespaceOf(options.platform);
  const components = await withIssuer(tools.kubectl, { ...options, namespace });
  const keepsResources = prepared.former !== undefined;
  const layers = layersFor({ ...options, components, keepsResources }, prepared.folder);
  await writeLayers(layers);
  return objectsIn(await renderFolder(tools.kubectl, prepared.folder));
};

const judge = async (
  options: UninstallOptions,
  objects: readonly KubeObject[],
  tools: Tools,
): Promise<Seen> => {
  const { platform, isForced } = options;
  const namespace = namespaceIn(objects, namespaceOf(platform));
  const seen = await readSeen(tools.kubectl, namespace, async () =>
    platform === "openfaas" ? lookAtFaasCli(tools.run) : undefined,
  );
  const refused = await refusedTo(tools.kubectl, ["delete"], { objects, kinds: seen.kinds });
  const findings = removalFindings({ platform, namespace, rendered: objects, seen, refused, isForced });
  const text = findings.map((finding) => findingText(finding)).join("");
  if (findings.some(({ level }) => level === "missing")) throw new Failure(`${text}Nothing was removed.`);
  if (platform === "openfaas" && seen.faasCli?.functions === undefined)
    throw new Failure(
      `faas-cli is needed to remove the functions: ${seen.faasCli?.complaint || "it is not installed"}. Nothing was removed.`,
    );
  if (text !== "") tools.say(text.trimEnd());
  return seen;
};

const tellRest = (seen: Seen, tools: Tools): void => {
  const count = sampledbsIn(seen).length;
  const databases = count === 1 ? "1 SampleDB" : `${count} SampleDBs`;
  tools.say(
    count === 0
      ? "The CRD stays."
      : `What stays: the CRD and ${databases}, with databases and data. Nobody looks after them.`,
  );
};

/** Takes SampleDB out of a cluster; SampleDBs and their data stay. Throws WrongUsage or a Failure. */
export const uninstall = async (options: UninstallOptions, tools: Tools): Promise<void> => {
  await checkContext(options.context);
  const { platform } = options;
  const objects = await rendered(options, tools);
  const namespace = namespaceIn(objects, namespaceOf(platform));
  tools.say(`SampleDB for ${platform}, in namespace ${namespace}`);
  const seen = await judge(options, objects, tools);
  const served = objects.filter((object) => servedAs(seen.kinds, object) !== undefined);
  const isThere = objectSeen(seen, "Namespace", namespace) !== undefined;
  const present = isThere ? await ourObjects(tools.kubectl, seen.kinds, namespace) : [];
  const steps = uninstallPlan({
    namespace,
    isOpenFaas: platform === "openfaas",
    webhooks: webhooksOf(seen.objects, objects),
    objects: withoutInhabited(served, sampledbsIn(seen)),
    leftovers: leftoversIn(present, objects),
    shown: `kubectl kustomize ${options.folder ?? overlayOf(platform)}`,
    timeoutSeconds: options.timeoutSeconds,
  });
  if (options.isDryRun) {
    tellSteps(steps, options.context, tools.say);
    return;
  }
  const said = await carryOut(steps, tools, options.timeoutSeconds * 1000);
  const removed = said.join("\n").match(/ deleted/gu)?.length ?? 0;
  tools.say(removed === 0 ? "Done: nothing was there any more." : `Done: ${removed} objects removed.`);
  tellRest(seen, tools);
};
