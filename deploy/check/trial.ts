import { FINALIZER } from "../../functions/shared/api/markers.ts";
import type { Kubectl } from "../shared/kubectl.ts";
import { wordsOf } from "../shared/failure.ts";

const sampledb = (namespace: string, spec: object): string =>
  JSON.stringify({
    apiVersion: "sampledb.dev/v1",
    kind: "SampleDB",
    // A name that nobody has.
    metadata: { generateName: "trial-", namespace },
    spec,
  });

/** What the rules say of the bad one. The CRD alone, which refuses it too, has no such hint. */
const REFUSAL = /spec\.deletion\.policy: "wipe": must be one of Retain, Wipe; did you mean Wipe\?/u;

/** What an answer to the good one says: undefined where it was filled in as admission does. */
export const faultOfGood = (answer: string): string | undefined =>
  answer.includes(`"${FINALIZER}"`) && answer.includes('"version"')
    ? undefined
    : "a SampleDB that says nothing is accepted, but nothing is filled in: admission is not asked";

/** What an answer to the bad one says: undefined where it was refused with the words of the rules. */
export const faultOfBad = (answer: string): string | undefined =>
  REFUSAL.test(answer)
    ? undefined
    : `a SampleDB with a wrong deletion policy should be refused by admission, and was answered: ${answer.trim().slice(0, 300)}`;

/**
 * Has the API server judge two SampleDBs, of which it stores neither: one that says nothing must be filled in, one with nonsense refused.
 * Gives what is wrong, or undefined.
 */
export const tryAdmission = async (kubectl: Kubectl, namespace: string): Promise<string | undefined> => {
  const create = (spec: object): Promise<string> =>
    kubectl(["create", "--dry-run=server", "-o", "json", "-f", "-"], sampledb(namespace, spec));
  const good = await create({}).then(faultOfGood, wordsOf);
  if (good !== undefined) return good;
  const bad = await create({ deletion: { policy: "wipe" } }).catch(wordsOf);
  return faultOfBad(bad);
};
