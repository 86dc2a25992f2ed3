import { isAbsolute, join, relative } from "node:path";

/** Name of the functions' image in the manifests, replaced at deployment. */
const PLACEHOLDER_IMAGE = "example.com/sampledb/functions";

export type Deployment = {
  /** Full reference of the functions' image, with tag or digest. */
  readonly image: string;
  /** Major version to PostgreSQL image, in place of the overlay's catalog. */
  readonly catalog?: { readonly default: string; readonly latest: string } & Readonly<Record<string, string>>;
  /** Folders of manifests/components to use. */
  readonly components?: readonly string[];
};

const imageFields = (image: string): Readonly<Record<string, string>> => {
  const [name = "", digest] = image.split("@");
  if (digest !== undefined) return { newName: name.replace(/:[^:/]+$/u, ""), digest };
  const tag = /:([^:/]+)$/u.exec(name)?.[1];
  return tag === undefined ? { newName: name } : { newName: name.slice(0, -tag.length - 1), newTag: tag };
};

/**
 * A kustomization (JSON is YAML) that puts an image and a catalog into the overlay. `folder` is where it will lie, `overlay` where
 * the overlay is: both absolute, since kustomize takes relative roots only.
 */
export const overlayFor = (deployment: Deployment, folder: string, overlay: string): string => {
  if (!isAbsolute(folder) || !isAbsolute(overlay)) throw new TypeError("overlayFor takes absolute paths");
  return JSON.stringify({
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [relative(folder, overlay)],
    components: (deployment.components ?? []).map((name) =>
      relative(folder, join(overlay, "../../components", name)),
    ),
    images: [{ name: PLACEHOLDER_IMAGE, ...imageFields(deployment.image) }],
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
