import { DATA_KEY, DNS_SUBDOMAIN } from "../patterns.ts";
import type { InitScript, KeyRef } from "../sampledb.ts";
import type { Violation } from "../violation.ts";
import type { Rule } from "./rule.ts";

const KINDS = { configMapKeyRef: "ConfigMap", secretKeyRef: "Secret" } as const;
const FIELDS = ["configMapKeyRef", "secretKeyRef"] as const;

const refFaults = (path: string, kind: string, ref: KeyRef): readonly Violation[] => [
  ...(new RegExp(DNS_SUBDOMAIN, "u").test(ref.name)
    ? []
    : [
        {
          path: `${path}.name`,
          value: ref.name,
          message: `must be the name of a ${kind}: a-z, 0-9, - and .`,
        },
      ]),
  ...(new RegExp(DATA_KEY, "u").test(ref.key)
    ? []
    : [
        {
          path: `${path}.key`,
          value: ref.key,
          message: `must be a key of a ${kind}: A-Z, a-z, 0-9, -, _ and ., such as schema.sql`,
        },
      ]),
];

const scriptFaults = (script: InitScript, path: string): readonly Violation[] => {
  const set = FIELDS.filter((field) => script[field] !== undefined);
  if (set.length !== 1)
    return [
      {
        path,
        value: undefined,
        message: `set exactly one of configMapKeyRef and secretKeyRef, ${set.length === 0 ? "none is set" : "both are set"}`,
      },
    ];
  return FIELDS.flatMap((field) => {
    const ref = script[field];
    return ref === undefined ? [] : refFaults(`${path}.${field}`, KINDS[field], ref);
  });
};

const shown = ({ configMapKeyRef, secretKeyRef }: InitScript): string => {
  const ref = configMapKeyRef ?? secretKeyRef;
  return `${ref?.name}/${ref?.key}`;
};

const identity = (script: InitScript): string =>
  JSON.stringify(FIELDS.map((field) => [script[field]?.name, script[field]?.key]));

/** Every init script names one key of one object, and no script is named twice. */
export const initReferences: Rule = ({ spec: { init } }) => {
  const identities = init.map(identity);
  return init.flatMap((script, index) => {
    const path = `spec.init[${index}]`;
    const first = identities.indexOf(identity(script));
    const faults = scriptFaults(script, path);
    return first === index || faults.length > 0
      ? faults
      : [
          {
            path,
            value: shown(script),
            message: `is the same script as spec.init[${first}]: each runs once, so remove one`,
          },
        ];
  });
};
