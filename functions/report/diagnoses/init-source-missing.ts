import { REASON } from "../../shared/api/conditions.ts";
import type { InitSource } from "../../shared/kube/observed.ts";
import type { Diagnosis } from "../finding.ts";
import { isInitDone } from "../situation.ts";

const nameOf = ({ script }: InitSource, index: number): string => {
  const kind = script.configMapKeyRef === undefined ? "Secret" : "ConfigMap";
  const ref = script.configMapKeyRef ?? script.secretKeyRef;
  return `spec.init[${index}] (key ${ref?.key ?? ""} of ${kind} ${ref?.name ?? ""})`;
};

/** An init script is named that is not there. */
export const initSourceMissing: Diagnosis = (situation) => {
  if (isInitDone(situation)) return undefined;
  const missing = situation.objects.InitSource.flatMap((source, index) =>
    source.content === undefined ? [nameOf(source, index)] : [],
  );
  if (missing.length === 0) return undefined;
  return {
    reason: REASON.initSourceMissing,
    message: `Not found: ${missing.join(", ")}. Create it in this namespace; nothing of spec.init runs before all of it is there.`,
    severity: "stall",
    stage: "init",
  };
};
