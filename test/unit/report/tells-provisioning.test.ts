import { makeJob } from "../../support/make-children.ts";
import { notReady, uninitialized, pending, quota, reportTells } from "./cases.ts";
import { makeEvent } from "./make-observed.ts";

reportTells("what cannot be made", [
  {
    name: "a write that a quota refuses",
    world: {
      objects: { PersistentVolumeClaim: [], ConfigMap: [] },
      context: {
        refused: [
          {
            by: "provision",
            object: "PersistentVolumeClaim orders-1-1",
            code: 403,
            reason: "Forbidden",
            message: quota,
          },
        ],
      },
    },
    want: {
      reason: "QuotaExceeded",
      severity: "stall",
      says: /^PersistentVolumeClaim orders-1-1: .*Raise the ResourceQuota/u,
    },
  },
  {
    name: "a write that something else refuses",
    world: {
      context: {
        refused: [
          {
            by: "provision",
            object: "StatefulSet orders-1",
            code: 403,
            reason: "Forbidden",
            message: "policy says no",
          },
        ],
      },
    },
    want: { reason: "CreateRefused", severity: "stall", says: /^StatefulSet orders-1: policy says no\./u },
  },
  {
    name: "that there is no default StorageClass",
    world: { objects: pending({ spec: {} }) },
    want: { reason: "StorageClassMissing", severity: "stall", says: /no default one/u },
  },
  {
    name: "that the named StorageClass does not exist",
    world: {
      objects: {
        ...pending({ spec: { storageClassName: "fast" } }),
        StorageClass: [{ metadata: { name: "standard" }, provisioner: "example.com/disk" }],
      },
    },
    want: {
      reason: "StorageClassMissing",
      severity: "stall",
      says: /^StorageClass fast, which .* does not exist/u,
    },
  },
  {
    name: "that no volume can be provisioned",
    world: {
      objects: {
        ...pending(),
        StorageClass: [{ metadata: { name: "standard" }, provisioner: "example.com/disk" }],
        Event: [
          makeEvent("uid-orders-1-1", "ProvisioningFailed", "disk quota of the cloud is used up"),
          makeEvent("uid-orders-1-1", "ExternalProvisioning", "waiting", "2026-01-01T00:40:00Z"),
        ],
      },
    },
    want: {
      reason: "VolumeProvisioningFailed",
      severity: "stall",
      says: /disk quota of the cloud is used up\. Repair StorageClass standard/u,
    },
  },
  {
    name: "no StorageClass as missing any more once it is there, whatever old Events say",
    world: {
      objects: {
        ...pending(),
        StorageClass: [{ metadata: { name: "standard" }, provisioner: "example.com/disk" }],
        Event: [
          makeEvent(
            "uid-orders-1-1",
            "ProvisioningFailed",
            'storageclass.storage.k8s.io "standard" not found',
          ),
        ],
      },
    },
    want: { reason: "Provisioning", severity: "progress", says: /^Waiting for a volume/u },
  },
  {
    name: "that a quota refuses the database's pod",
    world: {
      objects: {
        StatefulSet: [notReady],
        Pod: [],
        Event: [makeEvent("uid-orders-1", "FailedCreate", quota)],
      },
    },
    want: {
      reason: "QuotaExceeded",
      severity: "stall",
      says: /^StatefulSet orders-1: .*exceeded quota: tight/u,
    },
  },
  {
    name: "that Pod Security refuses the init Job's pod",
    world: {
      objects: {
        PersistentVolumeClaim: [uninitialized],
        Job: [makeJob({ status: {} })],
        Event: [makeEvent("uid-orders-init", "FailedCreate", 'violates PodSecurity "restricted:latest"')],
      },
    },
    want: { reason: "CreateRefused", severity: "stall", says: /^Job orders-init: violates PodSecurity/u },
  },
]);
