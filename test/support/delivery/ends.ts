import { isDeepStrictEqual } from "node:util";
import { childNames } from "../../../functions/shared/api/child-names.ts";
import { FINALIZER } from "../../../functions/shared/api/markers.ts";
import { conditionOf, fieldsOf, type Thing } from "./change.ts";
import type { Picture } from "./picture.ts";
import type { Story } from "./story.ts";
import { isOpen } from "./user.ts";

/** Names of the children that there are at the end, `Kind name`, sorted; pods and volumes aside. */
const expectedChildren = ({ end, steps }: Story, name: string): readonly string[] => {
  const names = childNames(name);
  const data = [
    `PersistentVolumeClaim ${names.claim}`,
    `Secret ${names.secret}`,
    `Secret ${names.superuserSecret}`,
  ];
  const all = [
    ...data,
    `ConfigMap ${names.configMap}`,
    `PodDisruptionBudget ${names.podDisruptionBudget}`,
    `Service ${names.service}`,
    `Service ${names.headlessService}`,
    `StatefulSet ${names.statefulSet}`,
  ];
  const lost = new Set(
    steps.flatMap(({ deed }) =>
      deed.do === "remove" && deed.child.kind === "Secret" ? [`Secret ${name}${deed.child.suffix}`] : [],
    ),
  );
  const there: { readonly [E in Story["end"]]: readonly string[] } = {
    ready: all,
    "init failed": [...all, `Job ${names.initJob}`],
    gone: [],
    kept: data,
    "credentials missing": all.filter((child) => !lost.has(child)),
  };
  return there[end].toSorted();
};

const isSettledSet = ({ metadata, status }: Thing): boolean =>
  status?.["observedGeneration"] === metadata.generation &&
  status?.["readyReplicas"] === 1 &&
  status["currentRevision"] === status["updateRevision"];

const isReadyPod = ({ metadata, status }: Thing): boolean => {
  const conditions = status?.["conditions"];
  return (
    metadata.deletionTimestamp === undefined &&
    Array.isArray(conditions) &&
    conditions.map(fieldsOf).some(({ type, status: is }) => type === "Ready" && is === "True")
  );
};

const isTold = ({ end }: Story, picture: Picture, name: string): boolean => {
  const sampledb = picture.get("SampleDB", name);
  const condition = (type: string): unknown => conditionOf(sampledb, type)?.["reason"];
  const told: { readonly [E in Story["end"]]: () => boolean } = {
    ready: () => isOpen("ready", picture, name) && condition("Reconciling") === "UpToDate",
    "init failed": () => condition("Stalled") === "InitFailed",
    gone: () => sampledb === undefined,
    kept: () => sampledb === undefined,
    "credentials missing": () => condition("Stalled") === "CredentialsMissing",
  };
  return told[end]();
};

type Ended = { readonly story: Story; readonly name: string; readonly all: readonly Thing[] };

const wrongChildren = ({ story, name, all }: Ended): string | undefined => {
  const children = all
    .filter(({ kind }) => kind !== "PersistentVolume" && kind !== "Pod")
    .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ""}`)
    .toSorted();
  const expected = expectedChildren(story, name);
  return isDeepStrictEqual(children, expected)
    ? undefined
    : `children are ${children.join(", ") || "none"} instead of ${expected.join(", ") || "none"}`;
};

const wrongVolumes = ({ story, all }: Ended): string | undefined => {
  const volumes = all.filter(({ kind }) => kind === "PersistentVolume");
  return volumes.length === (story.end === "gone" ? 0 : 1)
    ? undefined
    : `there are ${volumes.length} volumes`;
};

const wrongPods = ({ story, name, all }: Ended): string | undefined => {
  const isRunning = story.end !== "gone" && story.end !== "kept";
  const pods = all.filter(({ kind }) => kind === "Pod");
  const databases = pods.filter(({ metadata }) => metadata.name === `${name}-1-0`);
  const wanted = (isRunning ? 1 : 0) + (story.end === "init failed" ? 1 : 0);
  return databases.every(isReadyPod) && (databases.length === 1) === isRunning && pods.length === wanted
    ? undefined
    : `its ${pods.length} pods are not as they should be`;
};

const wrongSet = ({ all }: Ended): string | undefined =>
  all.filter(({ kind }) => kind === "StatefulSet").every(isSettledSet)
    ? undefined
    : "its StatefulSet is under way";

const wrongFinalizer = (sampledb: Thing | undefined): string | undefined =>
  sampledb === undefined || sampledb.metadata.finalizers?.includes(FINALIZER) === true
    ? undefined
    : "it has no finalizer";

/** What is still otherwise than the story ends; undefined when it has come to its end. */
export const notYet = (story: Story, picture: Picture, name: string): string | undefined => {
  const ended = { story, name, all: picture.childrenOf(name) };
  const wrong = [wrongChildren, wrongVolumes, wrongPods, wrongSet]
    .map((ask) => ask(ended))
    .find((why) => why !== undefined);
  return (
    wrong ??
    wrongFinalizer(picture.get("SampleDB", name)) ??
    (isTold(story, picture, name) ? undefined : "its status says something else")
  );
};
