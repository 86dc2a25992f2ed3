import type { Diagnosis, Finding } from "../finding.ts";
import type { Situation } from "../situation.ts";
import { newestEvent } from "./newest-event.ts";
import { refusal } from "./refusal.ts";

const FAILED = ["FailedCreate"];

const ofStatefulSet = ({ statefulSet, primary, objects }: Situation): Finding | undefined => {
  const event = primary === undefined ? newestEvent(objects.Event, statefulSet, FAILED) : undefined;
  return event === undefined
    ? undefined
    : refusal(`StatefulSet ${statefulSet?.metadata?.name ?? ""}`, event.message ?? "", "database");
};

const ofInitJob = ({ initJob, initPod, objects }: Situation): Finding | undefined => {
  const event = initPod === undefined ? newestEvent(objects.Event, initJob, FAILED) : undefined;
  return event === undefined
    ? undefined
    : refusal(`Job ${initJob?.metadata?.name ?? ""}`, event.message ?? "", "init");
};

/** StatefulSet or Job exists, and the API server refuses its pod: a quota, Pod Security, another policy. */
export const createFailed: Diagnosis = (situation) => ofStatefulSet(situation) ?? ofInitJob(situation);
