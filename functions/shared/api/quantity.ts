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

/** The value of a Kubernetes quantity ("500m", "1Gi", "1e3") in its base unit; undefined where the text is none. */
export const parseQuantity = (text: string): number | undefined => {
  const parts = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/u.exec(text);
  const factor = FACTORS[parts?.[2] ?? ""];
  return parts?.[1] === undefined || factor === undefined ? undefined : Number(parts[1]) * factor;
};
