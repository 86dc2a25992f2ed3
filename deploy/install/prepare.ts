import { FUNCTIONS_IMAGE, imageText, OPENFAAS_IMAGE } from "../shared/image-reference.ts";
import { hasResources, imageIn } from "../shared/kustomization.ts";
import type { Component } from "../shared/components.ts";
import { withIssuer } from "../shared/issuer.ts";
import { Failure } from "../shared/failure.ts";
import { WrongUsage } from "../shared/flags.ts";
import { layersFor } from "../shared/layers.ts";
import { namespaceOf, PLATFORMS } from "../shared/platform.ts";
import { type Prepared, prepareFolder, renderFolder, writeLayers } from "../shared/prepared.ts";
import { type KubeObject, objectsIn } from "../shared/rendered.ts";
import type { Tools } from "../shared/tools.ts";
import { imagesOf } from "../check/until-ready.ts";
import type { DeployOptions } from "./options.ts";

/** What is to be applied, and where. */
export type Release = {
  readonly text: string;
  readonly objects: readonly KubeObject[];
  readonly namespace: string;
  readonly images: ReadonlySet<string>;
  /** On OpenFaaS the image of its functions. */
  readonly openFaasImage: string | undefined;
};

/** Whether a folder's kustomization says already what it builds on; throws WrongUsage when that is another platform. */
const saysItsOverlay = (
  former: string | undefined,
  { platform }: Pick<DeployOptions, "platform">,
): boolean => {
  const found = /manifests\/overlays\/(?<platform>\w+)/u.exec(former ?? "")?.groups?.["platform"];
  const other = PLATFORMS.find((each) => each === found && each !== platform);
  if (other !== undefined)
    throw new WrongUsage(
      `--write: the kustomization there is for ${other}: say --platform ${other}, or another folder`,
    );
  return hasResources(former ?? "");
};

/** The functions' namespace is where their accounts are. */
export const namespaceIn = (objects: readonly KubeObject[], otherwise: string): string =>
  objects.find(({ kind }) => kind === "ServiceAccount")?.metadata.namespace ?? otherwise;

const openFaasImageOf = (options: DeployOptions, former: string | undefined): string | undefined => {
  if (options.platform !== "openfaas") return undefined;
  const fields = former === undefined ? undefined : imageIn(former, OPENFAAS_IMAGE);
  const image = options.openFaasImage ?? (fields === undefined ? undefined : imageText(fields));
  if (image === undefined)
    throw new WrongUsage(
      "--openfaas-image is missing: say which image OpenFaaS can pull (npm run image -- --openfaas makes one)",
    );
  return image;
};

const isOfOurs = ({ kind, metadata }: KubeObject): boolean =>
  kind === "ServiceAccount" && metadata.name === "admission";

/** A kustomization that renders something else would have us remove everything that is there. */
const checkOurs = (objects: readonly KubeObject[]): void => {
  if (!objects.some(isOfOurs))
    throw new Failure(
      "The kustomization renders no SampleDB: its resources must name an overlay of manifests/overlays.",
    );
};

const checkImages = (images: ReadonlySet<string>): void => {
  if ([...images].some((image) => image.startsWith(FUNCTIONS_IMAGE)))
    throw new WrongUsage(
      "--image is missing: say which image the cluster can pull (npm run image makes one)",
    );
};

const chosenComponents = async (
  options: DeployOptions,
  { kubectl }: Tools,
): Promise<readonly Component[]> => {
  const { platform, components, certManager } = options;
  if (certManager !== "auto") return components;
  const namespace = options.namespace ?? namespaceOf(platform);
  return withIssuer(kubectl, { platform, namespace, components });
};

/** Writes the kustomization and renders it. */
const renderIn = async (
  { folder, former }: Prepared,
  options: DeployOptions,
  tools: Tools,
): Promise<Release> => {
  const isOpen = options.namespace === undefined && !options.components.some(({ isOverlay }) => isOverlay);
  const keepsResources = saysItsOverlay(former, options) && isOpen;
  const openFaasImage = openFaasImageOf(options, former);
  const components = await chosenComponents(options, tools);
  await writeLayers(layersFor({ ...options, components, keepsResources }, folder));
  const text = await renderFolder(tools.kubectl, folder);
  const objects = objectsIn(text);
  checkOurs(objects);
  const images = imagesOf(objects);
  checkImages(images);
  return {
    text,
    objects,
    images: new Set([...images, ...(openFaasImage === undefined ? [] : [openFaasImage])]),
    namespace: namespaceIn(objects, options.namespace ?? namespaceOf(options.platform)),
    openFaasImage,
  };
};

/** Renders what the options ask for. With --write the kustomization stays. Throws WrongUsage where an image is missing. */
export const prepare = async (options: DeployOptions, tools: Tools): Promise<Release> => {
  await using prepared = await prepareFolder(options.folder, options);
  return await renderIn(prepared, options, tools);
};
