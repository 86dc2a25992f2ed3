import { type Row, starting, unscheduledSince, reportTells } from "./cases.ts";
import { makePodWith } from "./make-observed.ts";

reportTells("what keeps the pod from running", [
  ...["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"].map((reason): Row => ({
    name: `an image that cannot be pulled: ${reason}`,
    world: { objects: starting(makePodWith({ state: { waiting: { reason, message: "not found" } } })) },
    want: {
      reason: "ImagePullFailed",
      severity: "stall",
      says: /^Image registry.example.com\/postgres:17 cannot be pulled: not found\. Correct spec.image/u,
    },
  })),
  {
    name: "that no node has room, which a growing cluster may mend",
    world: {
      objects: starting(
        unscheduledSince(
          "2026-01-01T00:59:50Z",
          "0/1 nodes are available: 1 Insufficient memory. no new claims to deallocate, preemption: 0/1 nodes are available.",
        ),
      ),
    },
    want: {
      reason: "Unschedulable",
      severity: "trouble",
      says: /orders-1-0: 0\/1 nodes .*Insufficient memory\. Add room/u,
    },
  },
  {
    name: "that no node has room for more than a minute",
    world: { objects: starting(unscheduledSince("2026-01-01T00:58:00Z", "0/1 nodes are available.")) },
    want: { reason: "Unschedulable", severity: "stall", says: /lower spec.resources/u },
  },
  {
    name: "nothing of a pod that only waits for its claim",
    world: {
      objects: starting(
        unscheduledSince("2026-01-01T00:58:00Z", "pod has unbound immediate PersistentVolumeClaims."),
      ),
    },
    want: { reason: "WaitingForDatabase", severity: "progress", says: /Waiting for PostgreSQL/u },
  },
  {
    name: "a volume that is empty although it held data, at the first refusal to start",
    world: {
      objects: starting(
        makePodWith({ state: { terminated: { exitCode: 64, message: "sampledb: volume-blank: /data" } } }),
      ),
    },
    want: {
      reason: "VolumeBlank",
      severity: "stall",
      says: /held a database and is empty now; nothing was written/u,
    },
  },
  {
    name: "a crash loop with the fatal log line, without what differs each time",
    world: {
      objects: starting(
        makePodWith({
          restartCount: 1,
          state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" } },
          lastState: {
            terminated: {
              exitCode: 1,
              message:
                "2026-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL 17\n" +
                "2026-01-01 00:00:00.100 UTC [7] FATAL:  could not open file\n" +
                "2026-01-01 00:00:00.200 UTC [7] LOG:  database system is shut down\n",
            },
          },
        }),
      ),
    },
    want: {
      reason: "CrashLooping",
      severity: "stall",
      says: /\(exit code 1\): FATAL: {2}could not open file\. More with: kubectl logs -n shop orders-1-0 --previous$/u,
    },
  },
  {
    name: "a crash loop for memory, also while the container runs between two crashes",
    world: {
      objects: starting(
        makePodWith({
          restartCount: 3,
          state: { running: { startedAt: "2026-01-01T00:59:00Z" } },
          lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
        }),
      ),
    },
    want: {
      reason: "CrashLooping",
      severity: "stall",
      says: /exit code 137\): OOMKilled\. It needs more memory than \S+: raise spec.resources.limits.memory/u,
    },
  },
]);
