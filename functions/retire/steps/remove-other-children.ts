import { remove } from "../remove.ts";
import type { Step } from "../step.ts";

/** Deletes what holds no data. It need not be gone before the SampleDB goes: a load balancer may hold its Service for minutes. */
export const removeOtherChildren: Step = ({ services, configMaps, podDisruptionBudgets }) => {
  const actions = [
    ...remove("Service", services),
    ...remove("PodDisruptionBudget", podDisruptionBudgets),
    ...remove("ConfigMap", configMaps),
  ];
  return actions.length === 0 ? "done" : actions;
};
