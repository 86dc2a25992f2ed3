import { waitUntil } from "../cluster/wait-until.ts";
import { SYSTEM_NAMESPACE } from "./deploy.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const IN = ["-n", SYSTEM_NAMESPACE];
const ENDED = "jsonpath={.status.conditions[?(@.status=='True')].type}";

type Run = {
  readonly cronJob: string;
  /** Variables that this run has besides the timer's, each `NAME=value`. */
  readonly env: readonly string[];
};

/** A Job like those of the timer. Not owned by it: the timer removes its older Jobs, and with them one that is still looked at. */
const jobLike = async (kubectl: Kubectl, { cronJob, env }: Run, name: string): Promise<string> => {
  const like = ["create", "job", name, ...IN, `--from=cronjob/${cronJob}`, "--dry-run=client", "-o", "json"];
  const plain = await kubectl(like);
  const set = ["set", "env", "--local", "-f", "-", "-o", "json", ...env];
  const text = env.length === 0 ? plain : await kubectl(set, plain);
  const { metadata, ...job }: { readonly metadata: object } = JSON.parse(text);
  return JSON.stringify({ ...job, metadata: { ...metadata, ownerReferences: [] } });
};

const succeeds = async (kubectl: Kubectl, run: Run): Promise<boolean> => {
  const name = `${run.cronJob}-by-hand-${process.pid}-${Date.now()}`;
  await kubectl(["create", "-f", "-"], await jobLike(kubectl, run, name));
  const ended = async (): Promise<boolean | undefined> => {
    const conditions = await kubectl(["get", "job", name, ...IN, "-o", ENDED]);
    if (conditions.includes("Complete")) return true;
    return conditions.includes("Failed") ? false : undefined;
  };
  const isDone = await waitUntil(ended, { what: `the end of Job ${name}`, timeoutMs: 600_000, everyMs: 200 });
  await kubectl(["delete", "job", name, ...IN, "--wait=false"]);
  return isDone;
};

/**
 * Runs what a timer runs now instead of at its time, as an administrator would, and waits until it was done. A run that fails leaves the
 * rest to the next, as on a timer; the third failure is an error.
 */
export const runCronJob = async (
  kubectl: Kubectl,
  cronJob: string,
  env: readonly string[] = [],
): Promise<void> => {
  for (let tries = 0; tries < 3; tries += 1) if (await succeeds(kubectl, { cronJob, env })) return;
  throw new Error(`CronJob ${cronJob} failed three times in a row`);
};
