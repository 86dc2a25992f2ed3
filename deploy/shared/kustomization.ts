import { isAbsolute, join, relative } from "node:path";
import { isMap, isSeq, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { ImageFields } from "./image-reference.ts";

/** What a kustomization over ours has to say. Paths are absolute. */
export type Wanted = {
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly namespace?: string;
  /** Fields by the name that the manifests have. */
  readonly images?: Readonly<Record<string, ImageFields>>;
};

const NEW = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

const listIn = (document: Document, name: string): readonly string[] => {
  const list: unknown = document.toJS();
  if (typeof list !== "object" || list === null) return [];
  const value: unknown = Object.entries(list).find(([key]) => key === name)?.[1];
  return Array.isArray(value) ? value.map(String) : [];
};

/** Adds to a list what is not in it; what `isReplaced` names goes. Where nothing changes, nothing is touched. */
const settle = (
  document: Document,
  name: string,
  wanted: readonly string[],
  isReplaced: (entry: string) => boolean = () => false,
): void => {
  const present = listIn(document, name);
  const kept = present.filter((entry) => wanted.includes(entry) || !isReplaced(entry));
  // Some components are to be listed last, and who adds one has read that.
  const all = [...kept, ...wanted.filter((entry) => !kept.includes(entry))];
  if (all.length === present.length && all.every((entry) => present.includes(entry))) return;
  document.set(name, document.createNode(all));
};

const isImage = (name: string) => (item: unknown) => isMap(item) && item.get("name") === name;

const settleImage = (document: Document, name: string, fields: ImageFields): void => {
  const images = document.get("images");
  const node = document.createNode({ name, ...fields });
  if (!isSeq(images)) {
    document.set("images", document.createNode([node]));
    return;
  }
  const at = images.items.findIndex(isImage(name));
  if (at === -1) images.add(node);
  else images.items[at] = node;
};

/** Whether a path leads to an overlay of ours, of whichever platform. */
const isOverlay = (path: string): boolean => /(?:^|\/)manifests\/overlays\//u.test(path);

const settleAll = (
  document: Document,
  { resources, components = [], namespace, images = {} }: Wanted,
  from: (paths: readonly string[]) => readonly string[],
): void => {
  // Where none is wanted, what is there holds.
  if (resources.length > 0) settle(document, "resources", from(resources), isOverlay);
  if (components.length > 0) settle(document, "components", from(components));
  if (namespace !== undefined) document.set("namespace", namespace);
  for (const [name, fields] of Object.entries(images)) settleImage(document, name, fields);
};

/**
 * A kustomization's text that says what is wanted, in `folder` (absolute: kustomize takes relative roots only). `text` is the one that is there:
 * what it says besides stays, comments too; another overlay of ours goes.
 */
export const kustomizationText = (wanted: Wanted, folder: string, text?: string): string => {
  if (![folder, ...wanted.resources].every((path) => isAbsolute(path)))
    throw new TypeError("kustomizationText takes absolute paths");
  const document = parseDocument(text ?? NEW);
  const fault = document.errors[0];
  if (fault !== undefined) throw new Error(`kustomization.yaml: ${fault.message}`);
  const from = (paths: readonly string[]): readonly string[] => paths.map((path) => relative(folder, path));
  settleAll(document, wanted, from);
  const isAsBefore = text !== undefined && JSON.stringify(parseDocument(text)) === JSON.stringify(document);
  return isAsBefore ? text : document.toString({ lineWidth: 0 });
};

/** The image that a kustomization's text names in the place of one of the manifests'. */
export const imageIn = (text: string, name: string): ImageFields | undefined => {
  const images = parseDocument(text).get("images");
  const found = isSeq(images) ? images.items.find(isImage(name)) : undefined;
  if (!isMap(found)) return undefined;
  const at = (field: string): string | undefined => {
    const value: unknown = found.get(field);
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const newTag = at("newTag");
  const digest = at("digest");
  return {
    newName: at("newName") ?? name,
    ...(digest === undefined && newTag !== undefined ? { newTag } : {}),
    ...(digest === undefined ? {} : { digest }),
  };
};

/** Whether a kustomization builds on anything. */
export const hasResources = (text: string): boolean => listIn(parseDocument(text), "resources").length > 0;

/** Path of a folder's kustomization. */
export const kustomizationFile = (folder: string): string => join(folder, "kustomization.yaml");
