import { isUtf8 } from "node:buffer";
import { cut } from "../api/violation.ts";
import type { Catalog } from "../api/catalog.ts";
import type { Outcome } from "./admission-metrics.ts";
import { answerReview, MalformedReview, readReview } from "./admission-review.ts";
import type { AdmissionFunction, AdmissionRequest, Verdict } from "./admission-review.ts";
import type { LogFields } from "./log.ts";

/** What goes back to the sender, and what is logged and counted of it. */
export type Answer = {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome;
  readonly fields: LogFields;
};

const keyOf = ({ namespace, name }: AdmissionRequest): string =>
  `${namespace}/${name === "" ? "(generated)" : name}`;

const judged = (request: AdmissionRequest, verdict: Verdict): Answer => ({
  code: 200,
  body: answerReview(request, verdict),
  outcome: verdict.allowed ? "allowed" : "denied",
  fields: {
    key: keyOf(request),
    uid: request.uid,
    operation: request.operation,
    ...(verdict.allowed
      ? { additions: verdict.patch?.length ?? 0, warnings: verdict.warnings?.length ?? 0 }
      : {
          violations: verdict.violations.length,
          // Keys of maps are the user's and may be megabytes long.
          paths: verdict.violations
            .slice(0, 20)
            .map(({ path }) => cut(path))
            .join(" "),
        }),
  },
});

/** What is no review that can be judged: the sender learns why, and so does the log. */
export const refused = (code: number, message: string): Answer => ({
  code,
  body: { error: message },
  outcome: "malformed",
  fields: { level: "error", message },
});

/** A bug of ours: the sender learns that much, the log what it was. */
export const failed = (cause: unknown): Answer => ({
  code: 500,
  body: { error: "the review could not be judged; the function's log says why" },
  outcome: "failed",
  fields: {
    level: "error",
    message: cause instanceof Error ? cause.message : String(cause),
    stack: cause instanceof Error ? cause.stack : undefined,
  },
});

/** Answers one call: the body of a request in, the body of its response out. Never throws, never shows a stack or the object. */
export const answerCall = (fn: AdmissionFunction, body: Buffer, catalog: Catalog): Answer => {
  try {
    // Decoding would put another character in the place of what is none.
    if (!isUtf8(body)) throw new MalformedReview("the body is not UTF-8");
    const request = readReview(body.toString("utf8"));
    return judged(request, fn.review(request, catalog));
  } catch (cause) {
    return cause instanceof MalformedReview ? refused(400, cause.message) : failed(cause);
  }
};
