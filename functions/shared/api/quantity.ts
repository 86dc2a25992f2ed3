/** Powers of ten. As exponents and not as factors, since 9 * 0.001 is not quite 0.009 while 9e-3 is. */
const DECIMAL: Readonly<Record<string, string>> = {
  n: "e-9",
  u: "e-6",
  m: "e-3",
  "": "",
  k: "e3",
  M: "e6",
  G: "e9",
  T: "e12",
  P: "e15",
  E: "e18",
};

const BINARY: Readonly<Record<string, number>> = {
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
  return Number(`${digits}${exponent}${DECIMAL[suffix] ?? ""}`) * (BINARY[suffix] ?? 1);
};

/** What somebody who wrote `10GB`, `10 gb` or `10gi` meant; undefined where that cannot be told. */
export const suggestQuantity = (text: string): string | undefined => {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp])i?b?(?:ytes?)?\s*$/iu.exec(text);
  return match === null ? undefined : `${match[1] ?? ""}${(match[2] ?? "").toUpperCase()}i`;
};
