import { childNames } from "../shared/api/child-names.ts";
import { completeSpec } from "../shared/api/complete-spec.ts";
import { ANNOTATION } from "../shared/api/markers.ts";
import type { SampleDB } from "../shared/api/sampledb.ts";
import { violationsOf } from "../shared/api/violations-of.ts";
import { type VolumeFacts, areCredentialsVerified, currentClaim, volumeFacts } from "../shared/api/volume.ts";
import type { Action } from "../shared/kube/action.ts";
import { credentialsDigest } from "../shared/kube/credentials-digest.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { Job, PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { Observed } from "../shared/kube/observed.ts";
import type { PlanContext } from "../shared/kube/reconcile-function.ts";
import { servingOn } from "../shared/kube/serving.ts";
import { initJob } from "./job.ts";
import { type Task, taskOf } from "./task.ts";

/** The kinds that `initialize` reads. */
export const READS = ["Secret", "PersistentVolumeClaim", "StatefulSet", "Job", "InitSource"] as const;
type World = Observed<(typeof READS)[number]>;

/** A SampleDB with the volume that is its own. */
type Init = {
  readonly sampledb: SampleDB;
  readonly claim: PersistentVolumeClaim;
  readonly facts: VolumeFacts;
};

const isTrue = (job: Job, type: string): boolean =>
  (job.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === "True");

const deletion = (job: Job): readonly Action[] =>
  job.metadata?.deletionTimestamp === undefined
    ? [{ do: "delete", ref: refOf("Job", job), propagation: "Background" }]
    : [];

/** Writes on the claim what the Job did. The Job's own annotation tells which scripts those were. */
const planRecord = ({ sampledb, claim, facts }: Init, job: Job): readonly Action[] => {
  const ran = facts.initScripts ?? job.metadata?.annotations?.[ANNOTATION.initScripts] ?? "none";
  const annotations = {
    [ANNOTATION.initScripts]: ran,
    [ANNOTATION.credentialsVerified]: sampledb.metadata.uid,
    // What it was made with: a password that changed since is tried again.
    [ANNOTATION.credentials]: job.metadata?.annotations?.[ANNOTATION.credentials],
  };
  return [{ do: "merge", ref: refOf("PersistentVolumeClaim", claim), patch: { metadata: { annotations } } }];
};

/** Whether this pass concerns `initialize` at all: a valid, living SampleDB that nobody paused. */
const isActive = (sampledb: SampleDB, context: PlanContext): boolean =>
  sampledb.metadata.deletionTimestamp === undefined &&
  sampledb.spec?.paused !== true &&
  violationsOf({ object: sampledb, catalog: context.catalog }).length === 0;

/** The Job that is still to be made, once the database runs and everything that it needs is there. */
const pendingTask = (
  { sampledb, facts }: Init,
  { objects }: World,
  context: PlanContext,
): Task | undefined => {
  const { namespace = "", name = "", uid = "" } = sampledb.metadata;
  const statefulSet = servingOn(facts.claim, objects.StatefulSet);
  if (statefulSet === undefined) return undefined;
  const spec = completeSpec(sampledb, context.catalog);
  const { Secret: secrets, InitSource: sources } = objects;
  return taskOf({ owner: { namespace, name, uid }, spec, facts, statefulSet, secrets, sources });
};

/** Whether the claim tells already what this Job did; a password that changed while it ran needs another one. */
const isRecorded = ({ sampledb, facts }: Init, job: Job): boolean =>
  facts.initScripts !== undefined &&
  facts.credentialsVerifiedFor === sampledb.metadata.uid &&
  facts.credentials === job.metadata?.annotations?.[ANNOTATION.credentials];

/** What to do with the Job that is there, while the claim does not yet say that init is done. */
const planOnJob = (job: Job, init: Init, task: Task | undefined): readonly Action[] => {
  // In this order: a Job that is gone and not recorded would be made again.
  if (isTrue(job, "Complete"))
    return [...(isRecorded(init, job) ? [] : planRecord(init, job)), ...deletion(job)];
  // The same again would fail the same way. The end of this Job is the event that makes the new one.
  const isWorthAnotherTry =
    task !== undefined && task.inputs !== job.metadata?.annotations?.[ANNOTATION.inputs];
  return isTrue(job, "Failed") && isWorthAnotherTry ? deletion(job) : [];
};

const planInit = (init: Init, world: World, context: PlanContext): readonly Action[] => {
  const uid = init.sampledb.metadata.uid;
  const names = childNames(world.key.name);
  const isDone =
    init.facts.initScripts !== undefined &&
    areCredentialsVerified(init.facts, uid, credentialsDigest(names, world.objects.Secret));
  const name = names.initJob;
  const job = world.objects.Job.find(({ metadata }) => metadata?.name === name);
  if (job === undefined) {
    const task = isDone ? undefined : pendingTask(init, world, context);
    return task === undefined ? [] : [{ do: "create", object: initJob(task) }];
  }
  const isOwn = job.metadata?.annotations?.[ANNOTATION.ownerUid] === uid;
  return isDone || !isOwn ? deletion(job) : planOnJob(job, init, pendingTask(init, world, context));
};

/** The init Job of a database that runs, until the claim says that its scripts ran and its credentials fit. */
export const plan = (world: World, context: PlanContext): readonly Action[] => {
  const { sampledb, objects } = world;
  const claim = currentClaim(objects.PersistentVolumeClaim);
  if (sampledb === undefined || claim === undefined || !isActive(sampledb, context)) return [];
  const facts = volumeFacts(claim.metadata ?? {});
  return facts.ownerUid === sampledb.metadata.uid ? planInit({ sampledb, claim, facts }, world, context) : [];
};
