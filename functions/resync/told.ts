import { log } from "../shared/serve/log.ts";
import type { LogFields } from "../shared/serve/log.ts";
import type { Resynced } from "./resync.ts";

/** Whether every key that there is was delivered. */
export const isComplete = ({ failed, faults }: Resynced): boolean => failed === 0 && faults.length === 0;

/** Logs the lists that could not be read; gives what else a log line says of a sweep. */
export const told = ({ sent, failed, missed, faults }: Resynced): LogFields => {
  for (const { message, code } of faults) log({ level: "error", message, code, outcome: "unread" });
  return { sent, failed, missed: missed.length === 0 ? undefined : missed.join(" ") };
};
