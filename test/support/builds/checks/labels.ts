import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Check } from "../build.ts";
import { whatIs } from "../workload.ts";
import type { Workload } from "../workload.ts";

const FUNCTIONS = resolve(import.meta.dirname, "../../../../functions");
const PART_OF = "app.kubernetes.io/part-of";

/** The bundle that a workload's process runs: by its argument, or, behind OpenFaaS' watchdog, by that one's setting. */
const bundleOf = ({ maker, pod }: Workload): string | undefined => {
  const [container] = pod.containers;
  if (maker !== "OpenFaaS") return container?.args?.[0];
  const command = container?.env?.find(({ name }) => name === "fprocess")?.value;
  return command?.replace("node /app/", "");
};

const ofWorkload = (workload: Workload): readonly string[] => {
  const { what, path, labels, fn, pod } = workload;
  const at = `${what}: ${path}.metadata.labels`;
  const count = pod.containers.length;
  return [
    ...(labels["app.kubernetes.io/name"] === "sampledb"
      ? []
      : [`${at}: app.kubernetes.io/name is not sampledb`]),
    ...(labels[PART_OF] === "sampledb" ? [] : [`${at}: ${PART_OF} is not sampledb`]),
    ...(existsSync(resolve(FUNCTIONS, fn, "index.ts"))
      ? []
      : [`${at}: there is no function ${JSON.stringify(fn)}`]),
    ...(bundleOf(workload) === `${fn}.mjs`
      ? []
      : [`${what}: runs ${bundleOf(workload)}, and its label says ${fn}`]),
    ...(count === 1 ? [] : [`${what}: ${path}.spec.containers: ${count} of them, where one is meant`]),
  ];
};

/** Everything says that it is of SampleDB, and each pod which function it runs, and runs that. */
export const labels: Check = ({ objects, workloads }) => [
  ...objects
    .filter(
      ({ kind, metadata }) =>
        kind !== "CustomResourceDefinition" && metadata.labels?.[PART_OF] !== "sampledb",
    )
    .map((object) => `${whatIs(object)}: metadata.labels: ${PART_OF} is not sampledb`),
  ...workloads.flatMap((workload) => ofWorkload(workload)),
];
