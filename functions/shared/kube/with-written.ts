import type { ObjectMeta } from "../api/sampledb.ts";
import type { Writable } from "./action.ts";
import type { Observed, ReadKind } from "./observed.ts";

type Identified = { readonly metadata?: ObjectMeta };

const isSame = (a: Identified, b: Identified): boolean => a.metadata?.uid === b.metadata?.uid;

/** A list with an object in the place of what it was before, or at the end where it is new. */
const withObject = <T extends Identified>(list: readonly T[], object: T): readonly T[] =>
  list.some((each) => isSame(each, object))
    ? list.map((each) => (isSame(each, object) ? object : each))
    : [...list, object];

const isListed = (kind: string, objects: Observed["objects"]): kind is ReadKind =>
  Object.hasOwn(objects, kind);

/**
 * The observation with what the API server answered to a write, so that the functions after it plan on what is there now and not on what
 * was: no status that the next pass takes back, no conflict with what this pass wrote itself. A claim that was just made stays out: what has
 * to be read once there is one, such as its StorageClass, was not read.
 */
export const withWritten = (observed: Observed, written: Writable): Observed => {
  if (written.kind === "SampleDB") return { ...observed, sampledb: written };
  const { objects } = observed;
  if (!isListed(written.kind, objects)) return observed;
  const list: readonly Identified[] = objects[written.kind];
  if (written.kind === "PersistentVolumeClaim" && !list.some((each) => isSame(each, written)))
    return observed;
  return { ...observed, objects: { ...objects, [written.kind]: withObject(list, written) } };
};
