import { parseQuantity } from "../quantity.ts";
import type { Rule } from "./rule.ts";

/** No request exceeds its limit: Kubernetes would refuse the pod. */
export const requestWithinLimit: Rule = ({ sampledb }) => {
  const { requests = {}, limits = {} } = sampledb.spec?.resources ?? {};
  return Object.entries(requests).flatMap(([name, value]) => {
    const limit = limits[name];
    const [asked, most] = [parseQuantity(String(value)), parseQuantity(String(limit))];
    if (asked === undefined || most === undefined || asked <= most) return [];
    return [
      {
        path: `spec.resources.requests.${name}`,
        value,
        message: `must not exceed spec.resources.limits.${name}, which is ${String(limit)}: lower the request or raise the limit`,
      },
    ];
  });
};
