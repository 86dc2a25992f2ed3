import { serverNames, settingsFrom } from "../../../functions/certify/settings.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { fieldsOf } from "./build.ts";
import type { Build } from "./build.ts";
import { Nowhere, coreServices, placeOfName, unlessNowhere } from "./places.ts";
import type { Place } from "./places.ts";
import { containersOf, whatIs } from "./workload.ts";
import type { Workload } from "./workload.ts";

/** How the API server is told to call admission. */
export type AdmissionCall = {
  /** Object and field, for messages. */
  readonly at: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** Undefined where certify says it, which knows the paths. */
  readonly path?: string;
  /** Names that the certificate has to have. */
  readonly serverName: string;
};

const ofCertify = (workload: Workload): readonly AdmissionCall[] =>
  containersOf(workload).map(([at, { env = [] }]) => {
    // The downward API knows the namespace.
    const values = Object.fromEntries(env.map(({ name, value = workload.namespace }) => [name, value]));
    const settings = settingsFrom(values);
    const { service, port, namespace, serviceNamespace = namespace } = settings;
    const [serverName] = serverNames(settings);
    return { at: `${workload.what}: ${at}.env`, namespace: serviceNamespace, service, port, serverName };
  });

type Webhook = {
  readonly clientConfig: {
    readonly service: {
      readonly namespace: string;
      readonly name: string;
      readonly port?: number;
      readonly path: string;
    };
  };
};

const ofConfiguration = (object: KubeObject): readonly AdmissionCall[] => {
  const { webhooks }: { webhooks: readonly Webhook[] } = fieldsOf(object);
  return webhooks.map(({ clientConfig }, nth) => {
    const { namespace, name: service, port = 443, path } = clientConfig.service;
    const at = `${whatIs(object)}: webhooks[${nth}].clientConfig.service`;
    return { at, namespace, service, port, path, serverName: `${service}.${namespace}.svc` };
  });
};

/** Every way in which the API server is told, by certify's settings or by webhook configurations in the build. */
export const admissionCalls = ({ objects, workloads }: Build): readonly AdmissionCall[] => [
  ...workloads.filter(({ fn }) => fn === "certify").flatMap((workload) => ofCertify(workload)),
  ...objects
    .filter(({ kind }) => kind.endsWith("WebhookConfiguration"))
    .flatMap((object) => ofConfiguration(object)),
];

/** Where the API server's calls arrive. Throws Nowhere. */
export const placeOfCall = (build: Build, { namespace, service, port }: AdmissionCall): Place => {
  const isThere = coreServices(build).some(
    ({ metadata }) => metadata.name === service && metadata.namespace === namespace,
  );
  if (!isThere) throw new Nowhere(`there is no Service ${namespace}/${service}`);
  return placeOfName(build, `${service}.${namespace}`, port, namespace);
};

/** Where each of them arrives; one that arrives nowhere is left out. */
export const placesOfAdmission = (build: Build): readonly { readonly at: string; readonly to: Place }[] =>
  admissionCalls(build).flatMap((call) => {
    const to = unlessNowhere(() => placeOfCall(build, call));
    return to === undefined ? [] : [{ at: call.at, to }];
  });
