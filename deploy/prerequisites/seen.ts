import type { KubeObject } from "../shared/rendered.ts";
import type { ServedKind } from "../shared/served-kinds.ts";

/** What faas-cli says of the gateway that it is logged in at. */
export type FaasCli = {
  /** Undefined: the program is not here. */
  readonly version: string | undefined;
  /** The functions that the gateway lists; undefined when it does not. */
  readonly functions: readonly string[] | undefined;
  readonly complaint: string;
};

/** What was read of a cluster and of this machine before anything is done. */
export type Seen = {
  readonly clientVersion: string;
  readonly serverVersion: string;
  readonly kinds: readonly ServedKind[];
  /** Every object that was asked for and is there, of whatever kind. */
  readonly objects: readonly KubeObject[];
  readonly faasCli: FaasCli | undefined;
};

/** The object of that kind and name; undefined where there is none. */
export const objectSeen = (
  { objects }: Pick<Seen, "objects">,
  kind: string,
  name: string,
  namespace?: string,
): KubeObject | undefined =>
  objects.find(
    (object) =>
      object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
  );
