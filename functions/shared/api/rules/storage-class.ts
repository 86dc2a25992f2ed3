import { DNS_SUBDOMAIN } from "../patterns.ts";
import type { Rule } from "./rule.ts";

/** The StorageClass could exist. Whether it does is seen by report: it may be created later. */
export const storageClass: Rule = ({ sampledb }) => {
  const value = sampledb.spec?.storage?.storageClassName;
  if (value === undefined || new RegExp(DNS_SUBDOMAIN, "u").test(value)) return [];
  return [
    {
      path: "spec.storage.storageClassName",
      value,
      message: "must be the name of a StorageClass: a-z, 0-9, - and . (kubectl get storageclass lists them)",
    },
  ];
};
