/** Where an overloaded server does not say, or says that it is over already. */
const DEFAULT_MS = 1000;

/** How long a server asks to wait with its header `Retry-After`: seconds or an HTTP date. In milliseconds from `now` (the same since 1970). */
export const retryAfterMs = (header: string | undefined, now: number): number => {
  if (header === undefined) return DEFAULT_MS;
  const ms = /^\s*\d+(\.\d+)?\s*$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? ms : DEFAULT_MS;
};
