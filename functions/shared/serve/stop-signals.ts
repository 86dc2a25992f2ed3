import { log } from "./log.ts";

/**
 * The signals that ask this process to end. `ON_SIGTERM=ignore` is for a process that another one in its container stands in front of and ends
 * (of-watchdog: it passes SIGTERM on at once, and still sends what arrives for some seconds): SIGTERM then changes nothing, from this call on. `drain`, or
 * nothing: SIGTERM is one of them. Throws with a sentence for the user.
 */
export const stopSignals = (env: NodeJS.ProcessEnv): readonly NodeJS.Signals[] => {
  const { ON_SIGTERM: wanted = "drain" } = env;
  if (wanted === "drain") return ["SIGTERM", "SIGINT"];
  if (wanted !== "ignore")
    throw new Error(`ON_SIGTERM is ${JSON.stringify(wanted)}: it must be drain or ignore.`);
  process.on("SIGTERM", () => log({ level: "info", message: "SIGTERM is ignored" }));
  return ["SIGINT"];
};
