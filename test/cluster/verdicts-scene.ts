import assert from "node:assert/strict";
import { BUILT_IN_CATALOG as catalog } from "../../functions/shared/api/catalog.ts";
import { violationText } from "../../functions/shared/api/violation.ts";
import type { Violation } from "../../functions/shared/api/violation.ts";
import { violationsOf } from "../../functions/shared/api/violations-of.ts";
import type { PlainApi } from "../support/plain-api.ts";
import type { Entry } from "../support/verdicts/entry.ts";

/** An object as a client sends it. */
export type Sent = Entry["object"];

/** What the API server said of an object, where no webhook is installed. */
export type Said = { readonly verdict: Entry["verdict"]; readonly text: string };

const COLLECTION = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs";
const QUERY = "fieldValidation=Strict";

/** A call that is not to change anything: refused where the API server says that the object is invalid, and nothing else is an answer. */
const asked = async (call: Promise<unknown>): Promise<Said> => {
  try {
    await call;
    return { verdict: "allowed", text: "" };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    if (!/: 422 |strict decoding error/u.test(text)) throw cause;
    return { verdict: "refused", text };
  }
};

type Stored = { readonly metadata: { readonly name: string; readonly resourceVersion: string } };

const isStored = (value: unknown): value is Stored =>
  typeof value === "object" && value !== null && "metadata" in value;

const change = async (api: PlainApi, object: Sent, before: Sent): Promise<Said> => {
  const made = await api.call("POST", `${COLLECTION}?${QUERY}`, before);
  if (!isStored(made)) throw new Error("the API server answered no object");
  const path = `${COLLECTION}/${made.metadata.name}`;
  try {
    const { status } = before;
    const stored = status === undefined ? made : await api.call("PUT", `${path}/status`, { ...made, status });
    if (!isStored(stored)) throw new Error("the API server answered no object");
    const { resourceVersion } = stored.metadata;
    const metadata = { ...Object(object["metadata"]), resourceVersion };
    return await asked(api.call("PUT", `${path}?${QUERY}&dryRun=All`, { ...object, metadata }));
  } finally {
    await api.call("DELETE", path);
  }
};

/** What the CRD alone says of an entry. Objects of the entry's name must be free in `shop`. */
export const judgeAlone = (
  api: PlainApi,
  { object, before }: Pick<Entry, "object" | "before">,
): Promise<Said> =>
  before === undefined
    ? asked(api.call("POST", `${COLLECTION}?${QUERY}&dryRun=All`, object))
    : change(api, object, before);

/** The catalog's default version is nothing that a CRD knows. */
const isOfCatalog = ({ path, message }: Violation, object: Sent): boolean =>
  path === "spec.image" &&
  message.startsWith("the tag names") &&
  !JSON.stringify(object).includes('"version":"1');

/** What the rules say that a CRD could say as well. */
const byRules = (object: Sent, oldObject?: Sent): readonly string[] =>
  violationsOf({ object, oldObject, catalog })
    .filter((violation) => !isOfCatalog(violation, object))
    .map(violationText);

/**
 * Has objects, and changes of a second object into the first, judged by the rules and by the CRD alone; fails where the verdicts differ.
 * Gives how many were allowed and how many refused: where all are alike, nothing was proved.
 */
export const compare = async (
  api: PlainApi,
  pairs: readonly (readonly [Sent, Sent?])[],
): Promise<readonly [allowed: number, refused: number]> => {
  const differences: string[] = [];
  let allowed = 0;
  for (const [object, before] of pairs) {
    const texts = byRules(object, before);
    const said = await judgeAlone(api, before === undefined ? { object } : { object, before });
    if (said.verdict === "allowed") allowed += 1;
    if ((said.verdict === "allowed") !== (texts.length === 0))
      differences.push(JSON.stringify({ object, before, texts, said }));
  }
  assert.deepEqual(differences, []);
  return [allowed, pairs.length - allowed];
};
