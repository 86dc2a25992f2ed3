/** In which build, of which object, what text becomes what (undefined: the object is gone), which check finds it, and in which words. */
export type Row = readonly [
  plan: string,
  object: string,
  change: readonly [from: string, to: string] | undefined,
  check: string,
  says: RegExp,
];
