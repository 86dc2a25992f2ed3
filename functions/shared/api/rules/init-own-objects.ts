import { childNames } from "../child-names.ts";
import type { Rule } from "./rule.ts";

/** No init script is one of the objects that are made for this very SampleDB: they hold its credentials and settings, not SQL. */
export const initOwnObjects: Rule = ({ sampledb: { metadata }, spec: { init } }) => {
  // Under generateName nobody knows the name yet; validate will.
  if (metadata.name === undefined) return [];
  const { configMap, secret, superuserSecret } = childNames(metadata.name);
  return init.flatMap(({ configMapKeyRef, secretKeyRef }, index) => {
    const isOwnMap = configMapKeyRef?.name === configMap;
    const isOwnSecret = secretKeyRef?.name === secret || secretKeyRef?.name === superuserSecret;
    if (!isOwnMap && !isOwnSecret) return [];
    const [field, kind, value] = isOwnMap
      ? ["configMapKeyRef", "ConfigMap", configMap]
      : ["secretKeyRef", "Secret", secretKeyRef?.name];
    return [
      {
        path: `spec.init[${index}].${field}.name`,
        value,
        message: `is this SampleDB's own ${kind}, which holds no SQL: name a ${kind} of yours, such as ${metadata.name}-schema`,
      },
    ];
  });
};
