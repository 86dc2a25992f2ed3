import type { IncomingMessage } from "node:http";
import type { Catalog } from "../api/catalog.ts";
import { atMost } from "../kube/at-most.ts";
import { answerCall, failed, refused } from "./admission-answer.ts";
import type { Answer } from "./admission-answer.ts";
import { MAX_REVIEW_BYTES, readBody } from "./admission-body.ts";
import type { AdmissionFunction } from "./admission-review.ts";
import { answerWithin } from "./answer-within.ts";
import type { JudgeBig } from "./judge-big.ts";

/** Bytes that take a few milliseconds; what is larger would be felt by those beside it. */
const BIG = 256 * 1024;

/** So many big ones are read and judged at once: whoever may create a SampleDB could send any number, and all would lie in memory. */
const BIG_AT_ONCE = 2;

/** A call of the API server to one function. */
export type Call = {
  readonly fn: AdmissionFunction;
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly catalog: () => Catalog;
  readonly judgeBig: JudgeBig | undefined;
};

const REFUSED = {
  "too large": refused(413, `a review has at most ${MAX_REVIEW_BYTES} bytes`),
  "too late": refused(503, "the review did not arrive within the call's timeout"),
  "cut off": refused(400, "the review was cut off"),
} as const;

const LATE: Answer = {
  ...refused(
    503,
    "the review could not be judged within the call's timeout: too many, or too large ones, at once",
  ),
  outcome: "failed",
};

const TOO_MUCH: Answer = {
  ...refused(413, "what the review holds takes more memory than there is to judge it"),
  outcome: "failed",
};

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";

const judge = ({ fn, catalog, judgeBig }: Call, bytes: Buffer): Answer | Promise<Answer> =>
  judgeBig !== undefined && bytes.length > BIG
    ? judgeBig(fn.name, bytes, catalog()).catch((cause: unknown) =>
        isOutOfMemory(cause) ? TOO_MUCH : failed(cause),
      )
    : answerCall(fn, bytes, catalog());

/** Resolves with the work's result, or with LATE after so many milliseconds. */
const inTime = async (work: Promise<Answer>, withinMs: number): Promise<Answer> => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => resolve(LATE), withinMs);
  const answer = await Promise.race([work, promise]);
  clearTimeout(timer);
  return answer;
};

/** Absent is taken for JSON; the API server always sends it. */
const isJson = (type: string | undefined): boolean =>
  type === undefined || /^application\/json\s*(;|$)/iu.test(type);

/** The API server always says how long a review is. Who does not is taken to send a big one. */
const isBig = ({ request }: Call): boolean => Number(request.headers["content-length"] ?? BIG + 1) > BIG;

type Timed = { readonly call: Call; readonly ends: number };

const readAndJudge = async ({ call, ends }: Timed): Promise<Answer> => {
  const left = ends - performance.now();
  // Reading or judging for nobody would make the next ones late too.
  if (left <= 0) return LATE;
  const body = await readBody(call.request, left);
  if ("refused" in body) return REFUSED[body.refused];
  return performance.now() < ends ? judge(call, body.bytes) : LATE;
};

/**
 * Reads a call's review and judges it, within the call's timeout: who waits no longer gets to know that it was too late. Big ones take turns: a
 * sender is not read from before its turn, which lasts until the verdict, though nobody may wait for that any more. Never rejects.
 */
export const callsJudge = (): ((call: Call) => Promise<Answer>) => {
  const inTurn = atMost(BIG_AT_ONCE, readAndJudge);
  return async (call) => {
    const within = answerWithin(call.url);
    if (!isJson(call.request.headers["content-type"]))
      return refused(400, "the content type is not application/json");
    const timed = { call, ends: performance.now() + within };
    return isBig(call) ? inTime(inTurn(timed), within) : readAndJudge(timed);
  };
};
