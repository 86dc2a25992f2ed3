import { DEFAULTS } from "./defaults.ts";
import { parseQuantity } from "./quantity.ts";
import type { CompleteSpec, Quantity, Resources } from "./sampledb.ts";

type Amounts = Readonly<Record<string, string>>;

const asText = (amounts: Readonly<Record<string, Quantity>> = {}): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));

const isMore = (a: string | undefined, b: string | undefined): boolean =>
  (parseQuantity(a ?? "") ?? Number.NaN) > (parseQuantity(b ?? "") ?? Number.NaN);

/**
 * Fills in resources. What the user set stays; a default gives way to it: a request above the default limit raises the limit, a limit below
 * the default request lowers the request. `standard` is what to fill in, by default that of a new SampleDB.
 */
export const completeResources = (
  given: Resources | undefined,
  standard: Resources = DEFAULTS.resources,
): CompleteSpec["resources"] => {
  const set = { requests: asText(given?.requests), limits: asText(given?.limits) };
  const base = { requests: asText(standard.requests), limits: asText(standard.limits) };
  const lowered = Object.entries(base.requests).map(([name, request]) => {
    const limit = set.limits[name];
    return [name, limit !== undefined && isMore(request, limit) ? limit : request];
  });
  const raised = Object.entries(base.limits).map(([name, limit]) => {
    const request = set.requests[name];
    return [name, request !== undefined && isMore(request, limit) ? request : limit];
  });
  return {
    requests: { ...Object.fromEntries(lowered), ...set.requests },
    limits: { ...Object.fromEntries(raised), ...set.limits },
  };
};
