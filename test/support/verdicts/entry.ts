import type { RULES } from "../../../functions/shared/api/violations-of.ts";

/** What the functions can judge and the API server's CEL cannot: the `catalog` is a file of theirs. */
type Reason = "catalog";

/** A rule of the list, or `shape`: types, required fields, enum values and bounds of the schema. */
export type RuleName = keyof typeof RULES | "shape";

/** One object, or one change of an object, and what is to be said of it. */
export type Entry = {
  /** Behaviour, in the present tense. */
  readonly title: string;
  readonly rule: RuleName;
  /** What the rules say of it. */
  readonly verdict: "allowed" | "refused";
  readonly object: Readonly<Record<string, unknown>>;
  /** What it replaces; absent on CREATE. Its status is what the functions wrote. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** The CRD alone says the opposite, because of this. */
  readonly differs?: Reason;
};

type Change = {
  /** Spec before an UPDATE; absent: CREATE. */
  readonly from?: unknown;
  /** Status before an UPDATE. */
  readonly status?: object;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly differs?: Reason;
};

/** A SampleDB of this spec, as a client sends it. */
const sent = (spec: unknown, metadata: Readonly<Record<string, unknown>> = { name: "orders" }) => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { namespace: "shop", ...metadata },
  ...(spec === undefined ? {} : { spec }),
});

const entry =
  (verdict: Entry["verdict"]) =>
  (rule: RuleName, title: string, spec: unknown, change: Change = {}): Entry => ({
    title,
    rule,
    verdict,
    object: sent(spec, change.metadata),
    ...("from" in change || change.status !== undefined
      ? {
          before: { ...sent(change.from), ...(change.status === undefined ? {} : { status: change.status }) },
        }
      : {}),
    ...(change.differs === undefined ? {} : { differs: change.differs }),
  });

export const allowed = entry("allowed");
export const refused = entry("refused");
