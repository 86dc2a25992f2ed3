import { runCommand, type CommandOptions } from "./run-command.ts";

const NAMESPACES = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"];

/**
 * Runs a program that mounts things in mount and process namespaces of its own: however it ends, and also when this
 * process is killed, no mount and no process of it stays behind. (A bind-mounted /dev left in a folder that somebody
 * removes would take the machine's devices with it.)
 */
export async function runIsolated(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return runCommand("setpriv", ["--pdeathsig", "KILL", "unshare", ...NAMESPACES, file, ...args], options);
}
