import { basename, join } from "node:path";
import type { Component } from "./components.ts";
import { FUNCTIONS_IMAGE, imageFields, OPENFAAS_IMAGE } from "./image-reference.ts";
import type { Wanted } from "./kustomization.ts";
import { namespaceOf, overlayOf, type Platform } from "./platform.ts";

/** What is chosen on the command line. */
export type Choice = {
  readonly platform: Platform;
  /** Undefined: the overlay's own. */
  readonly namespace?: string | undefined;
  readonly components: readonly Component[];
  readonly image?: string | undefined;
  readonly openFaasImage?: string | undefined;
  /** The kustomization that is in the folder says already what it builds on, and no option says otherwise. */
  readonly keepsResources?: boolean;
};

/** Components of Knative's overlay that change what is at the gateway. */
const AT_GATEWAY = new Set(["internal-ingress"]);

/** A kustomization and the folder for it. */
export type Layer = { readonly folder: string; readonly wanted: Wanted };

const imagesOf = ({ image, openFaasImage }: Choice): Wanted["images"] => ({
  ...(image === undefined ? {} : { [FUNCTIONS_IMAGE]: imageFields(image) }),
  ...(openFaasImage === undefined ? {} : { [OPENFAAS_IMAGE]: imageFields(openFaasImage) }),
});

/**
 * The kustomizations that put a choice on top of our overlay; the last one is the one to build, in `folder`. On Knative a namespace moves only
 * what is in `functions`, since what is at the gateway must stay there: that takes two.
 */
export const layersFor = (choice: Choice, folder: string): readonly Layer[] => {
  const { platform, namespace } = choice;
  const overlay = choice.components.find(({ isOverlay }) => isOverlay)?.path ?? overlayOf(platform);
  const components = choice.components.filter(({ isOverlay }) => !isOverlay).map(({ path }) => path);
  const images = imagesOf(choice) ?? {};
  const isMoved = namespace !== undefined && namespace !== namespaceOf(platform);
  if (platform === "knative" && isMoved && overlay === overlayOf(platform)) {
    const inner = join(folder, "functions");
    const outer = components.filter((path) => AT_GATEWAY.has(basename(path)));
    const moved = components.filter((path) => !outer.includes(path));
    return [
      { folder: inner, wanted: { resources: [join(overlay, "functions")], components: moved, namespace } },
      { folder, wanted: { resources: [inner, join(overlay, "gateway")], components: outer, images } },
    ];
  }
  const resources = choice.keepsResources === true ? [] : [overlay];
  return [{ folder, wanted: { resources, components, images, ...(isMoved ? { namespace } : {}) } }];
};
