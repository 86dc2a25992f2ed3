/** CEL for `parent.field` of a spec (`self` or `oldSelf`) or, where it is not set, its default. */
export const effectiveInCel = (
  spec: string,
  [parent, field]: readonly [parent: string, field: string],
  standard: string,
): string =>
  `(has(${spec}.${parent}) && has(${spec}.${parent}.${field}) ? ${spec}.${parent}.${field} : '${standard}')`;
