/**
 * A call that failed, sorted once. `unavailable`: the API server itself cannot be used (no answer in time, 5xx, 429, 401): the sender
 * should deliver again. `conflict`: the object changed since it was read (409): read again. `refused`: this write is not allowed
 * or not valid (403, 422, …): its condition says so and no other object waits.
 */
export class Fault extends Error {
  readonly sort: "unavailable" | "conflict" | "refused";
  /** HTTP status code of the API server's answer; 0 without one. */
  readonly code: number;
  /** `reason` of the API server's Status, e.g. `Forbidden`. */
  readonly reason: string;

  constructor(
    sort: Fault["sort"],
    message: string,
    detail: { readonly code?: number; readonly reason?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = "Fault";
    this.sort = sort;
    this.code = detail.code ?? 0;
    this.reason = detail.reason ?? "";
  }
}
