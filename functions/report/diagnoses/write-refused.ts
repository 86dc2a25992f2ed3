import type { Diagnosis } from "../finding.ts";
import { isRefusedGrowth } from "../growth.ts";
import { refusal } from "./refusal.ts";

/** The API server refused a write of this pass: a quota, a policy, a missing right. A volume that may not grow serves all the same. */
export const writeRefused: Diagnosis = (situation) => {
  const first = situation.refused.find((write) => !isRefusedGrowth(situation, write));
  return first === undefined
    ? undefined
    : refusal(first.object, first.message, first.by === "initialize" ? "init" : "provision");
};
