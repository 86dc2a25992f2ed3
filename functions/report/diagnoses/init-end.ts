import { containersOf } from "../pods.ts";
import { type Situation, isInitDone } from "../situation.ts";

/** How the last try of the init Job ended; undefined while it runs, where there was none, and once init is done. */
export const initEnd = (
  situation: Situation,
): { readonly exitCode: number; readonly message?: string } | undefined =>
  isInitDone(situation)
    ? undefined
    : containersOf(situation.initPod)
        .map(({ state }) => state?.terminated)
        .find((end) => end !== undefined && end.exitCode !== 0);
