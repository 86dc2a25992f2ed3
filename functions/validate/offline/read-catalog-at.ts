import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "../../shared/api/catalog.ts";
import { readCatalog } from "../../shared/api/read-catalog.ts";
import { type Fields, isFields, manifestsIn } from "./manifests-in.ts";
import { parsedDocuments } from "./parsed-documents.ts";
import { Unusable, readText, unusable } from "./read-text.ts";

const NAME = "sampledb-catalog";

const nameOf = ({ metadata }: Fields): unknown => (isFields(metadata) ? metadata["name"] : undefined);

const configMapsIn = (text: string): readonly Fields[] =>
  parsedDocuments(text).documents.flatMap((parsed) => {
    if ("fault" in parsed) throw new Unusable(parsed.fault);
    const { document, value } = parsed;
    return manifestsIn(value, document.contents, document)
      .map(({ object }) => object)
      .filter(isFields)
      .filter(({ kind }) => kind === "ConfigMap");
  });

/** Of several ConfigMaps the one that is named as installed. */
const catalogIn = (text: string): Catalog => {
  const maps = configMapsIn(text);
  const map = maps.length === 1 ? maps[0] : maps.find((each) => nameOf(each) === NAME);
  if (map === undefined) throw new Unusable(`holds no ConfigMap ${NAME}`);
  const entries = Object.entries(isFields(map["data"]) ? map["data"] : {});
  const wrong = entries.filter(([, value]) => typeof value !== "string").map(([key]) => key);
  if (wrong.length > 0) throw new Unusable(`must have its values in quotes: ${wrong.join(", ")}`);
  return readCatalog(Object.fromEntries(entries.map(([key, value]) => [key, String(value)])));
};

// A mounted ConfigMap has links of Kubernetes' own beside its keys.
const filesOf = async (folder: string): Promise<readonly (readonly [key: string, text: string])[]> => {
  const keys = (await readdir(folder)).filter((name) => !name.startsWith("."));
  return Promise.all(keys.map(async (key) => [key, await readText(join(folder, key))] as const));
};

/** The catalog in a file (the ConfigMap's manifest) or a folder (one file for each of its entries). Throws an Error that says why not. */
export const readCatalogAt = async (path: string): Promise<Catalog> => {
  try {
    return (await stat(path)).isDirectory()
      ? readCatalog(Object.fromEntries(await filesOf(path)))
      : catalogIn(await readText(path));
  } catch (cause) {
    throw unusable(cause);
  }
};
