import type { Catalog } from "../shared/api/catalog.ts";
import type { Owner } from "../shared/api/child-metadata.ts";
import { type ChildNames, childNames } from "../shared/api/child-names.ts";
import { completeSpec } from "../shared/api/complete-spec.ts";
import type { CompleteSpec, SampleDB } from "../shared/api/sampledb.ts";

/** What the builders build for: one SampleDB with its defaults, and the names of its children. */
export type Subject = Owner & {
  readonly spec: CompleteSpec;
  readonly names: ChildNames;
  /** Of the SampleDB that it was read from. */
  readonly generation: number;
};

export const subjectOf = (sampledb: SampleDB, catalog: Catalog): Subject => {
  const { namespace = "", name = "", uid = "", generation = 0 } = sampledb.metadata;
  return { namespace, name, uid, generation, spec: completeSpec(sampledb, catalog), names: childNames(name) };
};

/** Port of the database, in Services, Secrets and pods alike. */
export const PORT = 5432;

/** DNS name of the database inside any cluster, whatever its domain is. */
export const hostOf = (subject: Owner & { readonly names: ChildNames }): string =>
  `${subject.names.service}.${subject.namespace}.svc`;
