import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { yamlFilesBelow } from "../../support/kustomize/manifest-files.ts";

const MANIFESTS = new URL("../../../manifests/", import.meta.url);

type Volume = {
  readonly name: string;
  readonly secret?: {
    readonly secretName: string;
    readonly defaultMode?: number;
    readonly items?: readonly { readonly key: string; readonly mode?: number }[];
  };
};
type PodSpec = {
  readonly volumes?: readonly Volume[];
  readonly securityContext?: Readonly<Record<"fsGroup" | "runAsUser" | "runAsGroup", number | undefined>>;
};
type Workload = {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec?: PodSpec } };
};

// kubectl reads YAML 1.1, in which 0440 is octal.
const workloadsIn = (file: string): readonly Workload[] =>
  parseAllDocuments(readFileSync(new URL(file, MANIFESTS), "utf8"), { version: "1.1" }).map(
    (document): Workload => document.toJS() ?? { kind: "" },
  );
const podOf = ({ spec }: Workload): PodSpec => spec?.template?.spec ?? {};
const secretsOf = (workload: Workload): readonly NonNullable<Volume["secret"]>[] =>
  (podOf(workload).volumes ?? []).flatMap(({ secret }) => secret ?? []);

/** Names of what mounts a Secret. */
const mounting = (secretName: string): readonly string[] =>
  yamlFilesBelow(".")
    .flatMap((file) => workloadsIn(file))
    .filter((workload) => secretsOf(workload).some((secret) => secret.secretName === secretName))
    .map(({ metadata }) => metadata?.name ?? "");

const ADMISSION = workloadsIn("overlays/kubernetes/admission.yaml").find(({ kind }) => kind === "Deployment");
const EVERY_POD = workloadsIn("components/function-pods/deployment.yaml")[0];

describe("admission's key", () => {
  it("can be read by the function's group and nobody else", () => {
    assert.ok(ADMISSION !== undefined && EVERY_POD !== undefined);
    const [secret, ...others] = secretsOf(ADMISSION);
    assert.deepEqual(others, []);
    assert.equal(secret?.secretName, "sampledb-admission-tls");
    assert.equal(secret.defaultMode, 0o440);
    assert.deepEqual(
      secret.items?.map(({ key, mode }) => [key, mode]),
      [
        ["tls.crt", undefined],
        ["tls.key", undefined],
      ],
    );
    assert.equal(podOf(ADMISSION).securityContext?.fsGroup, podOf(EVERY_POD).securityContext?.runAsGroup);
  });

  it("is mounted by admission alone, and the CA's key by nobody", () => {
    assert.deepEqual([...new Set(mounting("sampledb-admission-tls"))], ["admission"]);
    assert.deepEqual(mounting("sampledb-ca"), []);
  });
});
