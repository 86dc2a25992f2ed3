import { run } from "../cluster/run.ts";

const NAMESPACES = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"];

/**
 * Runs a program that mounts things in mount and process namespaces of its own: however it ends, and also when this
 * process is killed, no mount and no process of it stays behind. (A bind-mounted /dev left in a folder that somebody
 * removes would take the machine's devices with it.)
 */
export async function runIsolated(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const isolated = ["setpriv", "--pdeathsig", "KILL", "unshare", ...NAMESPACES, ...argv];
  return run(isolated, { env: { ...process.env, LC_ALL: "C.UTF-8", ...env } });
}
