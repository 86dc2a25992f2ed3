import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What has to be the case in the cluster before the user acts. */
export type Gate =
  | "at once"
  /** The first child is there, and the others are being made. */
  | "begun"
  /** The claim has its volume. */
  | "bound"
  /** Ready, and that is said of the present generation. */
  | "ready"
  | "init failed"
  /** The SampleDB is no more. */
  | "gone"
  /** It is being deleted, and `retire` is done. */
  | "let go";

/** A child by its kind and by what follows the SampleDB's name in its name. */
export type ChildName = { readonly kind: Kind; readonly suffix: string };

/** What the user does. */
export type Deed =
  | { readonly do: "create"; readonly spec: SampleDBSpec; readonly finalizers?: readonly string[] }
  | { readonly do: "edit"; readonly spec: SampleDBSpec }
  | { readonly do: "delete" }
  | { readonly do: "release" }
  /** Writes the init script, a ConfigMap that has no label. One that says "broken" fails. */
  | { readonly do: "script"; readonly text: string }
  | { readonly do: "remove"; readonly child: ChildName }
  | { readonly do: "spoil"; readonly child: ChildName; readonly patch: Fields };

/** How it ends: `kept` is what Retain leaves. */
type End = "ready" | "init failed" | "gone" | "kept" | "credentials missing";

/** What happens to one SampleDB, whoever delivers the events. */
export type Story = {
  readonly steps: readonly { readonly when: Gate; readonly deed: Deed }[];
  readonly end: End;
};

/** Somebody else's finalizer. */
export const FOREIGN_FINALIZER = "shop.example.com/audit";

/** Name of the ConfigMap with the init script. */
export const scriptOf = (name: string): string => `${name}-sql`;
