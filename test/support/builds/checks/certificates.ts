import { ingressSpecOf } from "../../knative/ingress-spec.ts";
import type { KubeObject } from "../../../../deploy/shared/rendered.ts";
import { admissionCalls } from "../admission-calls.ts";
import { fieldsOf } from "../build.ts";
import type { Build, Check } from "../build.ts";
import { placeOfName, unlessNowhere } from "../places.ts";
import { whatIs } from "../workload.ts";
import { secretsOf } from "./references.ts";

const ofKind = ({ objects }: Build, kind: string): readonly KubeObject[] =>
  objects.filter((object) => object.kind === kind);
const named = (build: Build, kind: string, name: string): boolean =>
  ofKind(build, kind).some(({ metadata }) => metadata.name === name);

/** Whether Knative's gateway leads from there to admission. */
const leadsToAdmission = (build: Build, host: string): boolean =>
  unlessNowhere(() => placeOfName(build, host, 80, build.namespace))?.workloads.some(
    ({ fn }) => fn === "admission",
  ) === true;

type Fault = readonly [isFault: boolean, says: string];
const told = (object: KubeObject, faults: readonly Fault[]): readonly string[] =>
  faults.filter(([isFault]) => isFault).map(([, says]) => `${whatIs(object)}: ${says}`);

const ofMapping = (build: Build, object: KubeObject): readonly string[] => {
  const {
    spec,
    metadata,
  }: {
    spec: { ref: { name: string; namespace?: string }; tls?: { secretName: string } };
    metadata: { annotations?: Readonly<Record<string, string>> };
  } = fieldsOf(object);
  const claim = ofKind(build, "ClusterDomainClaim").find(
    (each) => each.metadata.name === object.metadata.name,
  );
  const { ref, tls } = spec;
  return told(object, [
    [
      !leadsToAdmission(build, `${ref.name}.${ref.namespace ?? build.namespace}`),
      `spec.ref: ${ref.name} is not admission`,
    ],
    [
      secretsOf(build)[tls?.secretName ?? ""] === undefined,
      `spec.tls.secretName: nobody makes the Secret ${tls?.secretName}`,
    ],
    [claim === undefined, "there is no ClusterDomainClaim of its name"],
    [
      claim !== undefined && JSON.stringify(claim["spec"]) !== JSON.stringify({ namespace: build.namespace }),
      `its ClusterDomainClaim's spec.namespace is not ${build.namespace}`,
    ],
    [
      metadata.annotations?.["networking.knative.dev/http-protocol"] !== "redirected",
      "metadata.annotations: answers plain HTTP",
    ],
  ]);
};

const ofIngress = (build: Build, object: KubeObject): readonly string[] => {
  const { tls, rules } = ingressSpecOf(object);
  const hosts = new Set(tls.flatMap((each) => each.hosts));
  const paths = rules.flatMap(({ http }) => http.paths);
  const leadTo = [
    ...paths.map(({ rewriteHost }) => rewriteHost),
    ...paths.flatMap(({ splits }) => splits).map((each) => `${each.serviceName}.${each.serviceNamespace}`),
  ];
  return told(object, [
    ...tls.map(({ secretName, secretNamespace }): Fault => [
      secretsOf(build)[secretName] === undefined || secretNamespace !== build.namespace,
      `spec.tls: nobody makes the Secret ${secretNamespace}/${secretName}`,
    ]),
    ...leadTo.map((host): Fault => [!leadsToAdmission(build, host), `spec.rules: ${host} is not admission`]),
    [rules.some((rule) => rule.visibility !== "ClusterLocal"), "spec.rules.visibility is not ClusterLocal"],
    [
      rules.some((rule) => rule.hosts.some((host) => !hosts.has(host))),
      "spec.rules.hosts: without a certificate",
    ],
  ]);
};

type Certificate = {
  readonly secretName: string;
  readonly dnsNames?: readonly string[];
  readonly issuerRef: { readonly kind: string; readonly name: string };
};

const ofCertificate = (build: Build, object: KubeObject): readonly string[] => {
  const { spec }: { spec: Certificate } = fieldsOf(object);
  const { secretName, dnsNames = [], issuerRef } = spec;
  const isLeaf = build.objects.some(
    (other) =>
      other.kind !== "Certificate" &&
      other.kind !== "Issuer" &&
      JSON.stringify(other).includes(`"${secretName}"`),
  );
  const missing = admissionCalls(build)
    .map(({ serverName }) => serverName)
    .filter((name) => !dnsNames.includes(name));
  return told(object, [
    [
      !named(build, issuerRef.kind, issuerRef.name),
      `spec.issuerRef: there is no ${issuerRef.kind} ${issuerRef.name}`,
    ],
    ...missing.map((name): Fault => [isLeaf, `spec.dnsNames: not ${name}, which the API server calls`]),
  ]);
};

const ofIssuer = (build: Build, object: KubeObject): readonly string[] => {
  const {
    spec: { ca },
  }: { spec: { ca?: { secretName: string } } } = fieldsOf(object);
  return told(object, [
    [
      ca !== undefined && secretsOf(build)[ca.secretName] === undefined,
      `spec.ca.secretName: nobody makes the Secret ${ca?.secretName}`,
    ],
  ]);
};

/** cert-manager puts the CA of this certificate into the webhooks. */
const ofWebhook = (build: Build, object: KubeObject): readonly string[] => {
  const { metadata }: { metadata: { annotations?: Readonly<Record<string, string>> } } = fieldsOf(object);
  const { annotations = {} } = metadata;
  const [namespace, name = ""] = (annotations["cert-manager.io/inject-ca-from"] ?? "").split("/");
  return told(object, [
    [
      namespace !== build.namespace || !named(build, "Certificate", name),
      `metadata.annotations: cert-manager.io/inject-ca-from: there is no Certificate ${namespace}/${name}`,
    ],
  ]);
};

/** From the API server's call to admission there is one name, one certificate that has it, and one Secret with that. */
export const certificates: Check = (build) => [
  ...ofKind(build, "DomainMapping").flatMap((object) => ofMapping(build, object)),
  ...ofKind(build, "Ingress").flatMap((object) => ofIngress(build, object)),
  ...ofKind(build, "Certificate").flatMap((object) => ofCertificate(build, object)),
  ...ofKind(build, "Issuer").flatMap((object) => ofIssuer(build, object)),
  ...build.objects
    .filter(({ kind }) => kind.endsWith("WebhookConfiguration"))
    .flatMap((object) => ofWebhook(build, object)),
];
