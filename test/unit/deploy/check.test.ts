import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diagnosisOf, hopelessIn } from "../../../deploy/check/diagnosis.ts";
import { pendingIn } from "../../../deploy/check/pending.ts";
import { faultOfBad, faultOfGood } from "../../../deploy/check/trial.ts";
import { isFromCertManager } from "../../../deploy/shared/issuer.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { object } from "./imagined.ts";

const IMAGE = "registry.example.com/f:1";

const deployment = (status: object, generation = 1): KubeObject =>
  object("apps/v1", "Deployment", ["admission", "shop"], {
    metadata: { generation },
    spec: { replicas: 2 },
    status,
  });
const pod = (waiting: object, image = IMAGE): KubeObject =>
  object("v1", "Pod", ["admission-1", "shop"], {
    status: { containerStatuses: [{ image, state: { waiting } }] },
  });
const event = (reason: string, lastTimestamp: string, type = "Warning"): KubeObject =>
  object("v1", "Event", ["e", "shop"], {
    type,
    reason,
    message: "why",
    lastTimestamp,
    involvedObject: { kind: "ReplicaSet", name: "admission" },
  });

const service = (status: string): KubeObject =>
  object("serving.knative.dev/v1", "Service", ["reconcile", "shop"], {
    status: { conditions: [{ type: "Ready", status, reason: "RevisionMissing", message: "no image" }] },
  });

describe("what is waited for", () => {
  const done = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
  const cases: readonly [string, KubeObject, string][] = [
    ["a Deployment that nobody has looked at", deployment({}), "not looked at yet"],
    ["a change that nobody has looked at", deployment(done, 2), "not looked at yet"],
    ["pods that are not made", deployment({ ...done, updatedReplicas: 1 }), "1 of 2 pods made"],
    ["pods that are not available", deployment({ ...done, availableReplicas: 1 }), "1 of 2 pods available"],
    ["pods of the former version", deployment({ ...done, replicas: 3 }), "1 pods of the former version end"],
  ];
  for (const [name, one, words] of cases)
    it(`is ${name}`, () => assert.deepEqual(pendingIn([one]), [`Deployment shop/admission: ${words}`]));

  it("is nothing of a Deployment that runs, and of what says nothing about itself", () => {
    assert.deepEqual(pendingIn([deployment(done), object("v1", "Service", ["admission", "shop"])]), []);
  });

  it("is the condition Ready of Knative's and cert-manager's objects, with their words", () => {
    assert.deepEqual(pendingIn([service("False")]), ["Service shop/reconcile: RevisionMissing: no image"]);
    assert.deepEqual(pendingIn([service("True")]), []);
    const fresh = object("cert-manager.io/v1", "Certificate", ["a", "shop"]);
    assert.deepEqual(pendingIn([fresh]), ["Certificate shop/a: not looked at yet"]);
  });
});

describe("the diagnosis", () => {
  it("gives up an image that cannot be pulled, if it is one of this release", () => {
    const waiting = { reason: "ImagePullBackOff", message: "not found" };
    assert.equal(
      hopelessIn([pod(waiting)], new Set([IMAGE])),
      "Pod shop/admission-1: ImagePullBackOff: not found",
    );
    assert.equal(hopelessIn([pod(waiting, "registry.example.com/f:0")], new Set([IMAGE])), undefined);
    assert.equal(hopelessIn([pod({ reason: "ErrImagePull" })], new Set([IMAGE])), undefined);
  });

  it("tells of containers that wait, of pods without a node, and of warnings, the newest first and each once", () => {
    const pending = object("v1", "Pod", ["source-1", "shop"], {
      status: {
        conditions: [
          { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" },
        ],
      },
    });
    const events = [
      event("FailedCreate", "2026-01-01T00:00:01Z"),
      event("FailedMount", "2026-01-01T00:00:02Z"),
      event("FailedMount", "2026-01-01T00:00:02Z"),
      event("Scheduled", "2026-01-01T00:00:03Z", "Normal"),
    ];
    assert.deepEqual(
      diagnosisOf(
        [
          pod({ reason: "CrashLoopBackOff", message: "back-off" }),
          pod({ reason: "ContainerCreating" }),
          pending,
        ],
        events,
      ),
      [
        "Pod shop/admission-1: CrashLoopBackOff: back-off",
        "Pod shop/source-1: Unschedulable: 0/3 nodes",
        "2026-01-01T00:00:02Z ReplicaSet admission: FailedMount: why",
        "2026-01-01T00:00:01Z ReplicaSet admission: FailedCreate: why",
      ],
    );
  });
});

describe("the trial", () => {
  it("believes that admission is at work where the good one is filled in", () => {
    assert.equal(
      faultOfGood('{"metadata":{"finalizers":["sampledb.dev/retire"]},"spec":{"version":"17"}}'),
      undefined,
    );
    assert.match(faultOfGood('{"apiVersion":"sampledb.dev/v1","spec":{}}') ?? "", /nothing is filled in/u);
  });

  it("believes it where the bad one is refused by admission with its words, and not by the CRD's", () => {
    const words =
      'The SampleDB "" is invalid: spec.deletion.policy: "wipe": must be one of Retain, Wipe; did you mean Wipe?';
    assert.equal(faultOfBad(words), undefined);
    const crd =
      'The SampleDB "t" is invalid: spec.deletion.policy: Unsupported value: "wipe": supported values: "Retain", "Wipe"';
    assert.match(faultOfBad(crd) ?? "", /should be refused by admission, and was answered: The SampleDB/u);
    assert.match(faultOfBad('{"spec":{}}') ?? "", /should be refused/u);
  });
});

const webhooks = (from: string): readonly KubeObject[] => [
  object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", ["sampledb"], {
    metadata: { annotations: { "cert-manager.io/inject-ca-from": from } },
  }),
];

describe("who makes the certificate", () => {
  it("is told by the webhooks of that namespace", () => {
    assert.equal(isFromCertManager(webhooks("shop/sampledb-admission-tls"), "shop"), true);
    assert.equal(isFromCertManager(webhooks("databases/sampledb-admission-tls"), "shop"), false);
    assert.equal(isFromCertManager([], "shop"), false);
  });
});
