import type { Diagnosis } from "./finding.ts";
import { adoptionRefused } from "./diagnoses/adoption-refused.ts";
import { crashLooping } from "./diagnoses/crash-looping.ts";
import { createFailed } from "./diagnoses/create-failed.ts";
import { credentialsMismatch } from "./diagnoses/credentials-mismatch.ts";
import { credentialsMissing } from "./diagnoses/credentials-missing.ts";
import { deleting } from "./diagnoses/deleting.ts";
import { imagePullFailed } from "./diagnoses/image-pull-failed.ts";
import { initFailed } from "./diagnoses/init-failed.ts";
import { initSourceMissing } from "./diagnoses/init-source-missing.ts";
import { invalidSpec } from "./diagnoses/invalid-spec.ts";
import { paused } from "./diagnoses/paused.ts";
import { provisioning } from "./diagnoses/provisioning.ts";
import { storageClassMissing } from "./diagnoses/storage-class-missing.ts";
import { unschedulable } from "./diagnoses/unschedulable.ts";
import { volumeBlank } from "./diagnoses/volume-blank.ts";
import { volumeLost } from "./diagnoses/volume-lost.ts";
import { volumeProvisioningFailed } from "./diagnoses/volume-provisioning-failed.ts";
import { waitingForDatabase } from "./diagnoses/waiting-for-database.ts";
import { waitingForInit } from "./diagnoses/waiting-for-init.ts";
import { writeRefused } from "./diagnoses/write-refused.ts";

// In the order in which one hides the others: what is refused, what is missing, what fails, what only takes time.
const DIAGNOSES: readonly Diagnosis[] = [
  deleting,
  invalidSpec,
  volumeLost,
  adoptionRefused,
  credentialsMissing,
  writeRefused,
  storageClassMissing,
  volumeProvisioningFailed,
  createFailed,
  imagePullFailed,
  unschedulable,
  volumeBlank,
  crashLooping,
  credentialsMismatch,
  initFailed,
  initSourceMissing,
  paused,
  provisioning,
  waitingForDatabase,
  waitingForInit,
];

/** The first cause for which the SampleDB is not ready; undefined when it is. */
export const diagnose: Diagnosis = (situation) => {
  for (const diagnosis of DIAGNOSES) {
    const finding = diagnosis(situation);
    if (finding !== undefined) return finding;
  }
  return undefined;
};
