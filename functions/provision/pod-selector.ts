import { LABEL } from "../shared/api/markers.ts";

/** Labels by which Services and the PodDisruptionBudget find the pod that serves; the init Job's pod has another role. */
export const podSelector = (subject: { readonly name: string }): Readonly<Record<string, string>> => ({
  [LABEL.database]: subject.name,
  [LABEL.role]: "primary",
});
