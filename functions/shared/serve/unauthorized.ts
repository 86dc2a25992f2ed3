import type { Refusal } from "./caller-check.ts";

/** The answer to whoever did not prove to be one of those allowed. `why` is for the log. */
export const unauthorized = (why: string): Refusal => ({
  status: 401,
  message: "A valid bearer token is required.",
  why,
});
