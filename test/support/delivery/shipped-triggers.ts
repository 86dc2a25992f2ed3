import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

const FILE = new URL("../../../manifests/overlays/knative/components/broker/broker.yaml", import.meta.url);

type Trigger = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly filters: readonly { readonly any: readonly { readonly exact: { readonly kind: string } }[] }[];
  };
};

/** Of which kinds the Triggers of our component let events through, by the function that each of them calls. */
export const shippedTriggers = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const documents = parseAllDocuments(readFileSync(FILE, "utf8"));
  const objects = documents.map((document): Trigger => document.toJS());
  return new Map(
    objects
      .filter(({ kind }) => kind === "Trigger")
      .map(({ metadata, spec }) => [
        metadata.name,
        new Set(spec.filters.flatMap(({ any }) => any.map(({ exact }) => exact.kind))),
      ]),
  );
};
