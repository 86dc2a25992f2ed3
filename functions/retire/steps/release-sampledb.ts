import { FINALIZER } from "../../shared/api/markers.ts";
import { refOf } from "../../shared/kube/drift.ts";
import type { Step } from "../step.ts";

/** Lets go of the SampleDB: takes away our own finalizer and leaves all others. */
export const releaseSampleDB: Step = ({ sampledb }) => [
  {
    do: "merge",
    ref: refOf("SampleDB", sampledb),
    patch: {
      metadata: {
        finalizers: (sampledb.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER),
      },
    },
  },
];
