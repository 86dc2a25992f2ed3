import { ANNOTATION, LABEL } from "../../shared/api/markers.ts";
import type { CompleteSpec, ObjectMeta } from "../../shared/api/sampledb.ts";
import type { Action } from "../../shared/kube/action.ts";
import { refOf } from "../../shared/kube/drift.ts";
import { keptClaims, keptSecrets } from "../kept.ts";
import type { Step } from "../step.ts";

/** The labels and annotations that a kept object still lacks; annotations that are there are facts and stay as they are. */
const missingMarks = (metadata: ObjectMeta | undefined, spec: CompleteSpec): Record<string, unknown> => {
  const facts = {
    [ANNOTATION.databaseName]: spec.database.name,
    [ANNOTATION.databaseOwner]: spec.database.owner,
  };
  const annotations = Object.entries(facts).filter(([name]) => metadata?.annotations?.[name] === undefined);
  return {
    ...(metadata?.labels?.[LABEL.retained] === "true" ? {} : { labels: { [LABEL.retained]: "true" } }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
  };
};

const mark = (
  kind: "PersistentVolumeClaim" | "Secret",
  objects: readonly { readonly metadata?: ObjectMeta }[],
  spec: CompleteSpec,
): readonly Action[] =>
  objects
    .map((object) => ({ object, marks: missingMarks(object.metadata, spec) }))
    .filter(({ marks }) => Object.keys(marks).length > 0)
    .map(({ object, marks }) => ({ do: "merge", ref: refOf(kind, object), patch: { metadata: marks } }));

/** Retain: labels claims and Secrets as outliving their SampleDB, and with what they are, for the SampleDB that adopts them. */
export const markRetained: Step = (scene) => {
  const actions = [
    ...mark("PersistentVolumeClaim", keptClaims(scene), scene.spec),
    ...mark("Secret", keptSecrets(scene), scene.spec),
  ];
  return actions.length === 0 ? "done" : actions;
};
