/** Condition types and reasons: users script against them, so they are stable. */
export const CONDITION = {
  ready: "Ready",
  reconciling: "Reconciling",
  stalled: "Stalled",
  provisioned: "Provisioned",
  initialized: "Initialized",
} as const;

export const REASON = {
  databaseReady: "DatabaseReady",
  provisioned: "Provisioned",
  provisioning: "Provisioning",
  initialized: "Initialized",
  waitingForDatabase: "WaitingForDatabase",
  waitingForInit: "WaitingForInit",
  upToDate: "UpToDate",
  notStalled: "NotStalled",
  initFailed: "InitFailed",
  initSourceMissing: "InitSourceMissing",
  imagePullFailed: "ImagePullFailed",
  storageClassMissing: "StorageClassMissing",
  volumeProvisioningFailed: "VolumeProvisioningFailed",
  quotaExceeded: "QuotaExceeded",
  createRefused: "CreateRefused",
  unschedulable: "Unschedulable",
  crashLooping: "CrashLooping",
  volumeBlank: "VolumeBlank",
  volumeLost: "VolumeLost",
  volumeResizing: "VolumeResizing",
  volumeResizeFailed: "VolumeResizeFailed",
  credentialsMismatch: "CredentialsMismatch",
  credentialsMissing: "CredentialsMissing",
  adoptionRefused: "AdoptionRefused",
  invalidSpec: "InvalidSpec",
  paused: "Paused",
  deleting: "Deleting",
} as const;
export type Reason = (typeof REASON)[keyof typeof REASON];

/** Reason of the Event on an object that outlived its SampleDB. */
export const ORPHANED = "Orphaned";

/** Reason of the Event on a SampleDB about which a function did not take an event. */
export const UNDELIVERED = "EventUndelivered";
