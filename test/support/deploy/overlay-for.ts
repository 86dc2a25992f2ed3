import { parse } from "yaml";
import { FUNCTIONS_IMAGE, imageFields } from "../../../deploy/shared/image-reference.ts";
import { kustomizationText } from "../../../deploy/shared/kustomization.ts";
import { join } from "node:path";

export type Deployment = {
  /** Full reference of the functions' image, with tag or digest. */
  readonly image: string;
  /** Major version to PostgreSQL image, in place of the overlay's catalog. */
  readonly catalog?: { readonly default: string; readonly latest: string } & Readonly<Record<string, string>>;
  /** Folders of manifests/components to use. */
  readonly components?: readonly string[];
};

/**
 * A kustomization (JSON is YAML) that puts an image and a catalog into the overlay. `folder` is where it will lie, `overlay` where
 * the overlay is: both absolute, since kustomize takes relative roots only.
 */
export const overlayFor = (deployment: Deployment, folder: string, overlay: string): string => {
  const components = (deployment.components ?? []).map((name) => join(overlay, "../../components", name));
  const images = { [FUNCTIONS_IMAGE]: imageFields(deployment.image) };
  const kustomization: object = parse(
    kustomizationText({ resources: [overlay], components, images }, folder),
  );
  return JSON.stringify({
    ...kustomization,
    ...(deployment.catalog === undefined
      ? {}
      : {
          patches: [
            {
              target: { kind: "ConfigMap", name: "sampledb-catalog" },
              patch: JSON.stringify([{ op: "replace", path: "/data", value: deployment.catalog }]),
            },
          ],
        }),
  });
};
