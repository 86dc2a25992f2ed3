import type { Key } from "./key.ts";
import { LABEL } from "./markers.ts";
import type { ObjectMeta } from "./sampledb.ts";

/** The SampleDB that an object is, or whose child it says to be; undefined where it does not say. */
export const keyOf = (kind: string, { namespace, name, labels }: ObjectMeta): Key | undefined => {
  const database = kind === "SampleDB" ? name : labels?.[LABEL.database];
  return namespace === undefined || database === undefined ? undefined : { namespace, name: database };
};
