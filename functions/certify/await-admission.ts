import type { Dependencies } from "./dependencies.ts";
import { serverNames } from "./settings.ts";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

/** Waits until admission answers over a certificate that `ca` (PEM) vouches for; throws an Error with the last reason after `readyTimeout`. */
export const awaitAdmission = async (dependencies: Dependencies, ca: string): Promise<void> => {
  const { probe, now, pause, settings } = dependencies;
  const deadline = now().getTime() + settings.readyTimeout;
  let delay = FIRST_PAUSE;
  for (;;) {
    const reason = await probe(ca);
    if (reason === undefined) return;
    if (now().getTime() + delay > deadline)
      throw new Error(
        `admission was not ready within ${settings.readyTimeout / 1000} s (${serverNames(settings)[0]}: ${reason}); the webhooks were left as they are`,
      );
    await pause(delay);
    delay = Math.min(delay * 2, LONGEST_PAUSE);
  }
};
