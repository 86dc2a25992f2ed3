import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { withWorkloads } from "./build.ts";
import type { Build } from "./build.ts";
import { madeByOpenFaas } from "./made-by-openfaas.ts";
import type { Plan } from "./plans.ts";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");

const write = async (folder: string, kustomization: object): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
};

const from = (where: string, paths: readonly string[]): readonly string[] =>
  paths.map((path) => relative(where, join(MANIFESTS, path)));

/** Where a release has a name, it stands in a file of the user's. */
const release = async (folder: string, components: readonly string[]): Promise<readonly string[]> => {
  if (!components.some((path) => path.endsWith("release/named"))) return [];
  const named = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "sampledb-release" },
    data: { name: "blue" },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "release.json"), JSON.stringify(named));
  return ["release.json"];
};

/** What a user writes, in `folder` and, where something must stay in its namespace, in one below. */
const writePlan = async ({ family, components, elsewhere }: Plan, folder: string): Promise<void> => {
  const { resources, stay = [], beside = [], whole } = family;
  if (elsewhere === undefined) {
    const all = whole === undefined ? [...resources, ...stay] : [whole];
    const file = await release(folder, components);
    await write(folder, { resources: [...from(folder, all), ...file], components: from(folder, components) });
    return;
  }
  const inner = join(folder, "functions");
  await write(inner, {
    resources: [...from(inner, resources), ...(await release(inner, components))],
    components: from(
      inner,
      components.filter((path) => !beside.includes(path)),
    ),
    namespace: elsewhere,
  });
  await write(folder, {
    resources: ["functions", ...from(folder, stay)],
    components: from(
      folder,
      components.filter((path) => beside.includes(path)),
    ),
  });
};

const inFolder = async <T>(act: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-build-")));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The text that the real kustomize makes of a plan. */
const renderPlan = (kubectl: Kubectl, plan: Plan): Promise<string> =>
  inFolder(async (folder) => {
    await writePlan(plan, folder);
    return kubectl(["kustomize", folder]);
  });

const renderMade = (
  kubectl: Kubectl,
  kustomization: object,
  made: readonly object[],
): Promise<readonly KubeObject[]> =>
  inFolder(async (folder) => {
    await write(folder, { ...kustomization, resources: ["made.yaml"] });
    await writeFile(join(folder, "made.yaml"), made.map((object) => JSON.stringify(object)).join("\n---\n"));
    return objectsIn(await kubectl(["kustomize", folder]));
  });

/** Renders a plan, and what OpenFaaS makes of its functions. */
export const buildOf = async (kubectl: Kubectl, plan: Plan): Promise<Build> => {
  const { name, family, elsewhere } = plan;
  const namespace = elsewhere ?? family.namespace;
  const objects = objectsIn(await renderPlan(kubectl, plan));
  const { made, patches } = madeByOpenFaas(objects, family.stacks ?? []);
  const there = made.length === 0 ? [] : await renderMade(kubectl, { namespace, patches }, made);
  return withWorkloads({ name, namespace, objects, made: there });
};
