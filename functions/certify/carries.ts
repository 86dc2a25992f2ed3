const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const carriesAll = (observed: readonly unknown[], wanted: readonly unknown[]): boolean =>
  observed.length === wanted.length && wanted.every((item, index) => carries(observed[index], item));

/**
 * Whether `observed` has everything that `wanted` says. Fields that `wanted` does not mention are somebody else's (defaults of the API
 * server, a cloud provider's selector) and are no drift; lists must be equal in length and order.
 */
export const carries = (observed: unknown, wanted: unknown): boolean => {
  if (Array.isArray(wanted)) return Array.isArray(observed) && carriesAll(observed, wanted);
  if (!isObject(wanted)) return observed === wanted;
  return (
    isObject(observed) && Object.entries(wanted).every(([field, value]) => carries(observed[field], value))
  );
};
