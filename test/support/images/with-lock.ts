import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";

/**
 * Runs `work` while holding an exclusive lock on the file, across processes. The lock lives in a flock(1) child that
 * ends when its standard input closes, so it is given up even when this process is killed.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  const holder = spawn("flock", ["--exclusive", file, "sh", "-c", "echo held; exec cat >/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const held = Promise.withResolvers<void>();
  holder.stdout.once("data", () => held.resolve());
  holder.once("error", (error) => held.reject(new Error(`flock cannot be run: ${error.message}`)));
  holder.once("close", (code) => held.reject(new Error(`flock ended with ${code} before it held ${file}`)));
  await held.promise;
  try {
    return await work();
  } finally {
    holder.stdin.end();
  }
}
