import { REASON } from "../../shared/api/conditions.ts";
import { ANNOTATION } from "../../shared/api/markers.ts";
import { judgeAdoption } from "../../shared/api/volume.ts";
import type { Diagnosis } from "../finding.ts";
import type { Situation } from "../situation.ts";

const ownerOf = ({ objects }: Situation, secret: string): string | undefined =>
  objects.Secret.find(({ metadata }) => metadata?.name === secret)?.metadata?.annotations?.[
    ANNOTATION.ownerUid
  ];

/** A volume of an earlier SampleDB is there, and this one may not have it. */
export const adoptionRefused: Diagnosis = (situation) => {
  const { sampledb, spec, volume, names } = situation;
  if (volume === undefined) return undefined;
  const adoption = judgeAdoption(sampledb.metadata.uid ?? "", spec, volume, {
    owner: ownerOf(situation, names.secret),
    superuser: ownerOf(situation, names.superuserSecret),
  });
  if (adoption.verdict !== "refuse") return undefined;
  return {
    reason: REASON.adoptionRefused,
    message: `${adoption.why} Delete this SampleDB (that claim stays) and create one that fits the data, bring back what is missing, or remove that claim if its data is not needed.`,
    severity: "stall",
    stage: "provision",
  };
};
