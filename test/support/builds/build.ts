import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { workloadsIn } from "./workload.ts";
import type { Workload } from "./workload.ts";

/** A rendered kustomization, and what it comes to on its platform. */
export type Build = {
  readonly name: string;
  /** Where the functions are. */
  readonly namespace: string;
  readonly objects: readonly KubeObject[];
  /** What OpenFaaS makes of its functions, patched as its README says. */
  readonly made: readonly KubeObject[];
  readonly workloads: readonly Workload[];
};

/** Says what is wrong, one sentence each, that begins with the object and the field. */
export type Check = (build: Build) => readonly string[];

/** The object's fields as some type: what is rendered has any shape, and the API server has judged it. */
export const fieldsOf = (object: KubeObject): ReturnType<typeof JSON.parse> =>
  JSON.parse(JSON.stringify(object));

/** What pods are made of, with the objects. */
export const withWorkloads = (build: Omit<Build, "workloads">): Build => ({
  ...build,
  workloads: [...workloadsIn(build.objects), ...workloadsIn(build.made, true)],
});
