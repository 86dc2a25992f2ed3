import { isUtf8 } from "node:buffer";
import { answerCall } from "./admission-answer.ts";
import type { AdmissionFunction } from "./admission-review.ts";
import type { Question, Reply } from "./judge-big.ts";
import { withoutUnread } from "./without-unread.ts";

/** The other side of `judgeBigBy`: answers the questions of the thread that started this one. */
export const judgeForAnotherThread = async (functions: readonly AdmissionFunction[]): Promise<void> => {
  // Of all starts only this one needs it.
  const { parentPort } = await import("node:worker_threads");
  parentPort?.on("message", ({ id, name, bytes, catalog }: Question) => {
    const fn = functions.find((each) => each.name === name);
    if (fn === undefined) throw new Error(`no function ${name} is served here`);
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // What is no UTF-8 is refused, wherever it stands.
    const reply: Reply = {
      id,
      answer: answerCall(fn, isUtf8(whole) ? withoutUnread(whole) : whole, catalog),
    };
    parentPort?.postMessage(reply, []);
  });
};
