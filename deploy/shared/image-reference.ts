/** Name of the functions' image in the manifests, replaced at deployment. */
export const FUNCTIONS_IMAGE = "example.com/sampledb/functions";

/** The same with OpenFaaS' watchdog in front. */
export const OPENFAAS_IMAGE = "example.com/sampledb/functions-openfaas";

/** An image reference in its parts, as the `images:` of a kustomization have them. A digest makes the tag pointless, so it goes. */
export type ImageFields = { readonly newName: string; readonly newTag?: string; readonly digest?: string };

const NAME =
  /^(?:[a-z0-9]+(?:[.-][a-z0-9]+)*(?::[0-9]+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/u;
const TAG = /^[\w][\w.-]{0,127}$/u;
const DIGEST = /^sha256:[a-f0-9]{64}$/u;

/** Takes a reference apart. */
export const imageFields = (image: string): ImageFields => {
  const [name = "", digest] = image.split("@");
  const tag = /:([^:/]+)$/u.exec(name)?.[1];
  const newName = tag === undefined ? name : name.slice(0, -tag.length - 1);
  if (digest !== undefined) return { newName, digest };
  return tag === undefined ? { newName } : { newName, newTag: tag };
};

/** Puts one together. */
export const imageText = ({ newName, newTag, digest }: ImageFields): string => {
  if (digest !== undefined) return `${newName}@${digest}`;
  return newTag === undefined ? newName : `${newName}:${newTag}`;
};

const digestFault = (digest: string): string | undefined =>
  DIGEST.test(digest) ? undefined : "its digest must be sha256: and 64 digits of a-f and 0-9";

/** What is wrong with a reference; undefined when nothing is. It must say which content it means: by a tag other than latest, or by digest. */
export const imageFault = (image: string): string | undefined => {
  const { newName, newTag, digest } = imageFields(image);
  if (!NAME.test(newName))
    return "is no image reference such as registry.example.com/sampledb/functions:0.1.0";
  if (newName.startsWith("example.com/")) return "is a placeholder: example.com is nobody's registry";
  if (digest !== undefined) return digestFault(digest);
  if (newTag === undefined) return "must name a tag or a digest: without one it means latest";
  if (newTag === "latest")
    return "must name another tag than latest, or a digest: a restart could change what runs";
  return TAG.test(newTag) ? undefined : "has no tag that is one";
};
