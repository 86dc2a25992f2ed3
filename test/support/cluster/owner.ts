import { readFileSync } from "node:fs";

/** When a process started, in the kernel's ticks; undefined when there is no such process. */
const startTicks = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command in parentheses may hold blanks: fields are counted after its end. A zombie is as good as gone.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
};

/** Names a process for good: a pid is reused, pid and start time together are not. */
export const processId = (pid: number): string => `${pid}-${startTicks(pid) ?? "0"}`;

/** Whether the process that `processId` named still runs. */
export const isAlive = (id: string): boolean => {
  const [pid, ticks] = id.split("-");
  return ticks !== undefined && startTicks(Number(pid)) === ticks;
};

/** Sends a signal; a process that has ended meanwhile is none to signal. */
export const signalProcess = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (startTicks(pid) !== undefined) throw error;
  }
};
