import { MAX_NAME_LENGTH } from "../child-names.ts";
import { RESERVED_SUFFIXES } from "../limits.ts";
import { DNS_LABEL } from "../patterns.ts";
import type { Rule } from "./rule.ts";

/** The API server appends this many characters to metadata.generateName. */
const GENERATED_LENGTH = 5;

const faultOf = (name: string): string | undefined => {
  if (name.length > MAX_NAME_LENGTH)
    return `must be at most ${MAX_NAME_LENGTH} characters long, it has ${name.length}: the names of pods and volumes are made from it`;
  if (!new RegExp(DNS_LABEL, "u").test(name))
    return "must consist of a-z, 0-9 and -, begin with a letter and not end with -: a Service is named after it";
  const suffix = RESERVED_SUFFIXES.find((ending) => name.endsWith(ending));
  return suffix === undefined
    ? undefined
    : `must not end with ${suffix}: SampleDB ${name.slice(0, -suffix.length)} would own objects of the same name`;
};

/** The name fits every child that is named after it and collides with no other SampleDB's children. */
export const name: Rule = ({ sampledb: { metadata } }) => {
  // mutate runs before the API server has made a name of generateName.
  if (metadata.name === undefined && metadata.generateName !== undefined) {
    const message = faultOf(metadata.generateName + "x".repeat(GENERATED_LENGTH));
    return message === undefined
      ? []
      : [
          {
            path: "metadata.generateName",
            value: metadata.generateName,
            message: `with ${GENERATED_LENGTH} characters appended, ${message}`,
          },
        ];
  }
  const message = metadata.name === undefined ? "is required" : faultOf(metadata.name);
  return message === undefined ? [] : [{ path: "metadata.name", value: metadata.name, message }];
};
