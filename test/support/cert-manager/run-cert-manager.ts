import { spawn } from "node:child_process";
import { once } from "node:events";
import { dieWithOwner } from "../die-with-owner.ts";
import type { CertManager } from "./ensure-cert-manager.ts";

/** Starts one of its processes on the cluster that a kubeconfig leads to; gives what ends it. */
export const runCertManager = (
  { binary }: CertManager,
  part: "controller" | "cainjector",
  kubeconfig: string,
): (() => Promise<void>) => {
  const [command, ...args] = dieWithOwner([binary, part, kubeconfig]);
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said = `${said}${String(text)}`.slice(-4000);
  });
  const ended = once(child, "close");
  return async () => {
    if (child.exitCode !== null) throw new Error(`cert-manager's ${part} ended by itself: ${said}`);
    child.kill("SIGKILL");
    await ended;
  };
};
