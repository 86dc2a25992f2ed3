import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ImageOptions } from "./options.ts";
import { buildCommand, digestIn, pushCommand, type Recipe, type ToolName, TOOLS } from "./tool.ts";
import { Failure, wordsOf } from "../shared/failure.ts";
import { FUNCTIONS_IMAGE, imageFields, imageText, OPENFAAS_IMAGE } from "../shared/image-reference.ts";
import { overlayOf } from "../shared/platform.ts";
import { writeLayers } from "../shared/prepared.ts";
import { ProgramFailed } from "../shared/run.ts";
import type { Tools } from "../shared/tools.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** An image of ours: its name in the manifests, and how it is built. */
export type Image = { readonly name: string; readonly recipe: Recipe };

/** The images that are asked for, in the order in which they are built: the second is made of the first. */
export const imagesFor = (options: ImageOptions): readonly Image[] => {
  const { registry, tag, base, watchdog } = options;
  const named = (name: string): string => `${registry ?? "localhost"}/sampledb/${name}:${tag}`;
  const functions = named("functions");
  const recipes: readonly Image[] = [
    {
      name: FUNCTIONS_IMAGE,
      recipe: {
        file: join(ROOT, "functions/Dockerfile"),
        context: ROOT,
        reference: functions,
        buildArgs: base === undefined ? {} : { BASE: base },
      },
    },
    {
      name: OPENFAAS_IMAGE,
      recipe: {
        file: join(overlayOf("openfaas"), "Dockerfile"),
        context: overlayOf("openfaas"),
        reference: named("functions-openfaas"),
        buildArgs: { FUNCTIONS: functions, ...(watchdog === undefined ? {} : { WATCHDOG: watchdog }) },
      },
    },
  ];
  return options.isForOpenFaas ? recipes : recipes.slice(0, 1);
};

const complaintOf = (error: unknown): string =>
  error instanceof ProgramFailed ? error.complaint : wordsOf(error);

const foundTool = async ({ tool }: ImageOptions, { run }: Tools): Promise<ToolName> => {
  for (const name of tool === undefined ? TOOLS : [tool]) {
    const isThere = await run([name, "--version"]).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  throw new Failure(`${tool ?? TOOLS.join(", ")}: not installed: install one of ${TOOLS.join(", ")}.`);
};

const digestOf = async (said: string, digestFile: string): Promise<string> => {
  const digest = digestIn(await readFile(digestFile, "utf8").catch(() => said));
  if (digest === undefined) throw new Failure("The registry took the image, but no digest was told.");
  return digest;
};

const pushed = async (
  tool: ToolName,
  reference: string,
  options: ImageOptions,
  tools: Tools,
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "sampledb-image-"));
  try {
    const digestFile = join(folder, "digest");
    const said = await tools
      .run(pushCommand(tool, reference, { digestFile, ...options }))
      .catch((error: unknown) => {
        throw new Failure(
          `${reference} cannot be pushed: ${complaintOf(error)}\nIs ${tool} logged in there (${tool} login)? Does it speak plain HTTP (--insecure)?`,
        );
      });
    return imageText({ ...imageFields(reference), digest: await digestOf(said, digestFile) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const build = async (tool: ToolName, recipe: Recipe, tools: Tools): Promise<void> => {
  await tools.run(buildCommand(tool, recipe)).catch((error: unknown) => {
    throw new Failure(`${recipe.reference} cannot be built: ${complaintOf(error)}`);
  });
};

const tellPlan = (tool: ToolName, images: readonly Image[], options: ImageOptions, tools: Tools): void => {
  tools.say("Would be done (nothing was):");
  const commands = images.flatMap(({ recipe }) => [
    buildCommand(tool, recipe),
    ...(options.registry === undefined
      ? []
      : [pushCommand(tool, recipe.reference, { digestFile: "digest", ...options })]),
  ]);
  for (const command of [...(options.isBuilt ? [] : [["npm", "run", "build"]]), ...commands])
    tools.say(`  ${command.join(" ")}`);
};

/** Builds the images, pushes them where that is asked for, and notes their digests. Throws a Failure. */
export const buildImage = async (options: ImageOptions, tools: Tools): Promise<void> => {
  const tool = await foundTool(options, tools);
  const images = imagesFor(options);
  if (options.isDryRun) {
    tellPlan(tool, images, options, tools);
    return;
  }
  if (!options.isBuilt) {
    tools.say("  bundle the functions");
    await tools.run(["npm", "run", "--silent", "--prefix", ROOT, "build"]);
  }
  const references = new Map<string, string>();
  for (const { name, recipe } of images) {
    tools.say(`  build ${recipe.reference} with ${tool}`);
    await build(tool, recipe, tools);
    if (options.registry !== undefined) tools.say(`  push it`);
    const isPushed = options.registry !== undefined;
    references.set(name, isPushed ? await pushed(tool, recipe.reference, options, tools) : recipe.reference);
  }
  if (options.folder !== undefined) {
    const noted = [...references].map(([name, reference]) => [name, imageFields(reference)] as const);
    await writeLayers([
      { folder: options.folder, wanted: { resources: [], images: Object.fromEntries(noted) } },
    ]);
    tools.say(`  note ${images.length === 1 ? "it" : "them"} in ${options.folder}/kustomization.yaml`);
  }
  for (const reference of references.values()) tools.say(reference);
};
