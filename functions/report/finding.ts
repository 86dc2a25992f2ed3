import type { Reason } from "../shared/api/conditions.ts";
import type { Situation } from "./situation.ts";

/** Why a SampleDB is not ready. */
export type Finding = {
  readonly reason: Reason;
  /** What is so, and what to do where the user must act. */
  readonly message: string;
  /** `progress`: it takes time. `trouble`: it may still heal by itself. `stall`: the user must act. */
  readonly severity: "progress" | "trouble" | "stall";
  /** What it keeps from being finished. */
  readonly stage: "provision" | "database" | "init";
};

/** Looks for one cause; undefined where it is not that. */
export type Diagnosis = (situation: Situation) => Finding | undefined;
