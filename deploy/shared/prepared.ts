import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Failure, wordsOf } from "./failure.ts";
import { kustomizationFile, kustomizationText } from "./kustomization.ts";
import type { Layer } from "./layers.ts";
import type { Kubectl } from "./kubectl.ts";

/** Where the kustomizations are, until it is disposed of. */
export type Prepared = AsyncDisposable & {
  readonly folder: string;
  /** Text of the kustomization that was there before; undefined where none was. */
  readonly former: string | undefined;
};

const temporary = async (folder: string): Promise<string> => {
  if (!existsSync(folder)) return realpath(await mkdtemp(join(tmpdir(), "sampledb-deploy-")));
  // Beside it, so that paths in it lead where they led.
  const copy = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  await cp(folder, copy, { recursive: true });
  return copy;
};

/**
 * The folder for the kustomizations: the user's, or a temporary one, which is a copy of the user's where nothing may be changed there
 * (`isDryRun`).
 */
export const prepareFolder = async (
  folder: string | undefined,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Prepared> => {
  const isKept = folder !== undefined && !isDryRun;
  const former =
    folder !== undefined && existsSync(kustomizationFile(folder))
      ? await readFile(kustomizationFile(folder), "utf8")
      : undefined;
  if (isKept) await mkdir(folder, { recursive: true });
  const used = isKept ? await realpath(folder) : await temporary(folder ?? "");
  return {
    folder: used,
    former,
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await rm(used, { recursive: true, force: true });
    },
  };
};

/** Writes the kustomizations, each where one is already into that one. */
export const writeLayers = async (layers: readonly Layer[]): Promise<void> => {
  for (const { folder, wanted } of layers) {
    await mkdir(folder, { recursive: true });
    const file = kustomizationFile(folder);
    const former = existsSync(file) ? await readFile(file, "utf8") : undefined;
    const text = kustomizationText(wanted, folder, former);
    if (text !== former) await writeFile(file, text);
  }
};

/** What a folder renders to. Throws a Failure that says what kustomize says. */
export const renderFolder = (kubectl: Kubectl, folder: string): Promise<string> =>
  kubectl(["kustomize", folder]).catch((error: unknown) => {
    throw new Failure(`The kustomization cannot be rendered: ${wordsOf(error)}`);
  });
