const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/u;

/** Value of a Kubernetes quantity (`10Gi`, `500m`, `1e3`) in its base unit (bytes, cores); undefined where it is none. */
export const parseQuantity = (text: string): number | undefined => {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, digits = "", exponent = "", suffix = ""] = match;
  return Number(`${digits}${exponent.toLowerCase()}`) * (FACTORS[suffix] ?? 1);
};

/** What somebody who wrote `10GB`, `10 gb` or `10gi` meant; undefined where that cannot be told. */
export const suggestQuantity = (text: string): string | undefined => {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp])i?b?(?:ytes?)?\s*$/iu.exec(text);
  return match === null ? undefined : `${match[1] ?? ""}${(match[2] ?? "").toUpperCase()}i`;
};
