import { waitUntil } from "../cluster/wait-until.ts";
import { SYSTEM_NAMESPACE } from "./deploy.ts";
import type { Kubectl } from "./kubectl.ts";

const IN = ["-n", SYSTEM_NAMESPACE];
const ENDED = "jsonpath={.status.conditions[?(@.status=='True')].type}";

/** A Job like those of the timer. Not owned by it: the timer removes its older Jobs, and with them one that is still looked at. */
const jobLike = async (kubectl: Kubectl, cronJob: string, name: string): Promise<string> => {
  const like = ["create", "job", name, ...IN, `--from=cronjob/${cronJob}`, "--dry-run=client", "-o", "json"];
  const { metadata, ...job }: { readonly metadata: object } = JSON.parse(await kubectl(like));
  return JSON.stringify({ ...job, metadata: { ...metadata, ownerReferences: [] } });
};

const succeeds = async (kubectl: Kubectl, cronJob: string): Promise<boolean> => {
  const name = `${cronJob}-by-hand-${process.pid}-${Date.now()}`;
  await kubectl(["create", "-f", "-"], await jobLike(kubectl, cronJob, name));
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
export const runCronJob = async (kubectl: Kubectl, cronJob: string): Promise<void> => {
  for (let tries = 0; tries < 3; tries += 1) if (await succeeds(kubectl, cronJob)) return;
  throw new Error(`CronJob ${cronJob} failed three times in a row`);
};
