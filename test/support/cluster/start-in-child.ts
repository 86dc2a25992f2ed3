import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Starts a cluster that another process owns, as a person would by hand, to see what becomes of it when that one dies. */
export const startInChild = async (
  args: readonly string[],
): Promise<{ owner: ChildProcess; kubeconfig: string }> => {
  const owner = spawn(process.execPath, [join(import.meta.dirname, "up.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(owner, "exit").then(() => {
    throw new Error("the owner ended before its cluster was ready");
  });
  const ready = async (): Promise<string> => {
    for await (const line of createInterface({ input: owner.stdout })) {
      const path = /^export KUBECONFIG=(?<path>.*)$/.exec(line)?.groups?.["path"];
      if (path !== undefined) return path;
    }
    throw new Error("the owner said no more before its cluster was ready");
  };
  const kubeconfig = await Promise.race([ready(), ended]);
  ended.catch(() => undefined);
  return { owner, kubeconfig };
};
