import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Build, Check } from "../build.ts";
import { fieldsOf } from "../build.ts";
import { containersOf, whatIs } from "../workload.ts";

const ROOT = resolve(import.meta.dirname, "../../../..");
const { version }: { version: string } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8"));

const NAMES = { Kubernetes: "functions", Knative: "functions", OpenFaaS: "functions-openfaas" } as const;

const tagOf = (image: string): string | undefined =>
  /:(?<tag>[^:/@]+)(?:@sha256:[a-f\d]{64})?$/u.exec(image)?.groups?.["tag"];

/** Why an image may be another tomorrow; undefined where it may not. */
const looseness = (image: string): string | undefined => {
  const tag = tagOf(image);
  if (tag === undefined) return "has no tag";
  return tag === "latest" ? "is the latest, whichever that is" : undefined;
};

const ofCatalog = ({ objects }: Build): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "ConfigMap")
    .flatMap((object) => {
      const { data = {} }: { data?: Readonly<Record<string, string>> } = fieldsOf(object);
      return Object.entries(data)
        .filter(([key, value]) => /^\d+$/u.test(key) && looseness(value) !== undefined)
        .map(([key, value]) => `${whatIs(object)}: data.${key}: ${value} ${looseness(value)}`);
    });

/** Every pod runs the one image of this release, by a tag that says so. */
export const images: Check = (build) => [
  ...build.workloads.flatMap((workload) =>
    containersOf(workload).flatMap(([at, { image = "" }]) => {
      const loose = looseness(image);
      if (loose !== undefined) return [`${workload.what}: ${at}.image: ${JSON.stringify(image)} ${loose}`];
      const wanted = `example.com/sampledb/${NAMES[workload.maker]}:${version}`;
      return image === wanted ? [] : [`${workload.what}: ${at}.image: ${image} is not ${wanted}`];
    }),
  ),
  ...ofCatalog(build),
];
