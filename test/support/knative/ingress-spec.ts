import type { KubeObject } from "../../../deploy/shared/rendered.ts";

/** What an Ingress of Knative's (networking.internal.knative.dev) says, as far as anybody here looks. */
export type IngressSpec = {
  readonly tls: readonly {
    readonly hosts: readonly string[];
    readonly secretName: string;
    readonly secretNamespace: string;
  }[];
  readonly rules: readonly {
    readonly hosts: readonly string[];
    readonly visibility: string;
    readonly http: {
      readonly paths: readonly {
        readonly rewriteHost: string;
        readonly splits: readonly { readonly serviceName: string; readonly serviceNamespace: string }[];
      }[];
    };
  }[];
};

export const ingressSpecOf = (object: KubeObject): IngressSpec => JSON.parse(JSON.stringify(object["spec"]));
