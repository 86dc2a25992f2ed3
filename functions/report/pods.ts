import { LABEL } from "../shared/api/markers.ts";
import type { Job, Pod } from "../shared/kube/kinds.ts";

type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

const roleOf = (pod: Pod): string | undefined => pod.metadata?.labels?.[LABEL.role];

const newest = (pods: readonly Pod[]): Pod | undefined =>
  pods.toSorted((a, b) =>
    (b.metadata?.creationTimestamp ?? "").localeCompare(a.metadata?.creationTimestamp ?? ""),
  )[0];

/** The pod that serves the database: one that is not ending before one that is. */
export const primaryOf = (pods: readonly Pod[]): Pod | undefined => {
  const primaries = pods.filter((pod) => roleOf(pod) === "primary");
  return newest(primaries.filter((pod) => !isEnding(pod))) ?? newest(primaries);
};

/** The last pod that this Job made. Pods of an earlier Job of the same name tell nothing. */
export const initPodOf = (pods: readonly Pod[], job: Job | undefined): Pod | undefined =>
  newest(
    pods.filter(
      (pod) =>
        roleOf(pod) === "init" &&
        job?.metadata?.uid !== undefined &&
        (pod.metadata?.ownerReferences ?? []).some(({ uid }) => uid === job.metadata?.uid),
    ),
  );

export const isEnding = (pod: Pod): boolean => pod.metadata?.deletionTimestamp !== undefined;

export const isPodReady = (pod: Pod): boolean =>
  (pod.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");

export const containersOf = (pod: Pod | undefined): readonly ContainerStatus[] =>
  pod?.status?.containerStatuses ?? [];

/** How a container that does not run now ended last; undefined where it never ended, or runs and is ready. */
export const lastEnd = (
  container: ContainerStatus,
): NonNullable<ContainerStatus["state"]>["terminated"] | undefined =>
  container.ready ? undefined : (container.state?.terminated ?? container.lastState?.terminated);
