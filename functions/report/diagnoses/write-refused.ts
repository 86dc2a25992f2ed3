import type { Diagnosis } from "../finding.ts";
import { refusal } from "./refusal.ts";

/** The API server refused a write of this pass: a quota, a policy, a missing right. */
export const writeRefused: Diagnosis = ({ refused }) => {
  const [first] = refused;
  return first === undefined
    ? undefined
    : refusal(first.object, first.message, first.by === "initialize" ? "init" : "provision");
};
