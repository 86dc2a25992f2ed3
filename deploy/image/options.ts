import { resolve } from "node:path";
import { parseFlags, type Parsed, WrongUsage } from "../shared/flags.ts";
import { imageFault } from "../shared/image-reference.ts";
import { TOOLS, type ToolName } from "./tool.ts";

export const USAGE = `Usage: npm run image -- [--push REGISTRY] [OPTION ...]

Builds the functions' image from this checkout, pushes it, and prints its reference with the digest that the registry has it under: what
npm run deploy -- --image takes. Needs docker, podman or buildah, logged in at the registry.

  --push REGISTRY    push to REGISTRY/sampledb/functions; without it the image stays here
  --tag TAG          tag of the image (default: this version)
  --openfaas         the image for OpenFaaS too, REGISTRY/sampledb/functions-openfaas: the same behind of-watchdog
  --write FOLDER     note the images with their digests in the kustomization there (made where there is none), where deploy reads them
  --tool NAME        docker, podman or buildah (default: the first of them that is here)
  --base IMAGE       build on another image with Node in it
  --watchdog IMAGE   another image with of-watchdog in it, at /fwatchdog
  --built            dist/ is built already
  --insecure         the registry speaks plain HTTP, or its certificate is nobody's (podman and buildah; docker has it in its own settings)
  --dry-run          say what would be done, and do nothing
  --help             print this

Exit code: 0 when done, 1 when not, 2 when the command is wrong.
`;

export type ImageOptions = {
  /** Registry, with a path in it where given; undefined: nothing is pushed. */
  readonly registry: string | undefined;
  readonly tag: string;
  readonly isForOpenFaas: boolean;
  /** Absolute path. */
  readonly folder: string | undefined;
  readonly tool: ToolName | undefined;
  readonly base: string | undefined;
  readonly watchdog: string | undefined;
  readonly isBuilt: boolean;
  readonly isInsecure: boolean;
  readonly isDryRun: boolean;
};

const FLAGS = {
  push: { type: "string" },
  tag: { type: "string" },
  openfaas: { type: "boolean", default: false },
  write: { type: "string" },
  tool: { type: "string" },
  base: { type: "string" },
  watchdog: { type: "string" },
  built: { type: "boolean", default: false },
  insecure: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const toolOf = (name: string | undefined): ToolName | undefined => {
  const found = TOOLS.find((tool) => tool === name);
  if (name !== undefined && found === undefined)
    throw new WrongUsage(`--tool: "${name}": must be one of ${TOOLS.join(", ")}`);
  return found;
};

const registryOf = (text: string | undefined, tag: string): string | undefined => {
  const registry = text?.replace(/\/+$/u, "");
  const fault = registry === undefined ? undefined : imageFault(`${registry}/sampledb/functions:${tag}`);
  if (fault !== undefined) throw new WrongUsage(`--push: "${text}", tag "${tag}": ${fault}`);
  return registry;
};

/** Reads the command line. Paths are relative to `cwd`; `version` is this checkout's. */
export const parseOptions = (
  args: readonly string[],
  { cwd, version }: { readonly cwd: string; readonly version: string },
): Parsed<ImageOptions> =>
  parseFlags(args, FLAGS, {
    command: "image",
    options: (values) => {
      const tag = values.tag ?? version;
      const registry = registryOf(values.push, tag);
      if (values.write !== undefined && registry === undefined)
        throw new WrongUsage(
          "--write goes with --push: an image that stays here has no digest that a cluster could pull",
        );
      if (values.watchdog !== undefined && !values.openfaas)
        throw new WrongUsage("--watchdog goes with --openfaas");
      return {
        registry,
        tag,
        isForOpenFaas: values.openfaas,
        folder: values.write === undefined ? undefined : resolve(cwd, values.write),
        tool: toolOf(values.tool),
        base: values.base,
        watchdog: values.watchdog,
        isBuilt: values.built,
        isInsecure: values.insecure,
        isDryRun: values["dry-run"],
      };
    },
  });
