import { readFile } from "node:fs/promises";
import { bundle } from "../../support/build/bundle.ts";
import { startProgram } from "../../support/function-process.ts";
import { figure } from "../figure.ts";
import { NAMESPACE } from "./scene.ts";
import type { Scene } from "./scene.ts";

const DATABASES = 20;
/** Deliveries at once, as `source` does. */
const AT_ONCE = 8;

const sampledbs = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: Array.from({ length: DATABASES }, (_, index) => ({
    apiVersion: "sampledb.dev/v1",
    kind: "SampleDB",
    metadata: { name: `orders-${index}`, namespace: NAMESPACE },
    spec: {},
  })),
});

const post = async (url: string, number: number): Promise<void> => {
  const headers = {
    "content-type": "application/json",
    "ce-specversion": "1.0",
    "ce-id": `${number}`,
    "ce-type": "dev.sampledb.bench",
    "ce-source": "/bench",
    "ce-kind": "SampleDB",
    "ce-namespace": NAMESPACE,
    "ce-name": `orders-${number % DATABASES}`,
  };
  const { status } = await fetch(url, { method: "POST", headers, body: "{}" });
  if (status !== 204) throw new Error(`event ${number} was answered with ${status}`);
};

/** Milliseconds of processor time so far; the kernel counts in hundredths of a second. */
const cpuOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** MB, as the kernel counts. */
const residentOf = async (pid: number): Promise<{ readonly now: number; readonly peak: number }> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const mb = (field: string): number =>
    Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, "mu").exec(status)?.[1]) / 1024;
  return { now: mb("VmRSS"), peak: mb("VmHWM") };
};

/** Resident memory of the bundled `reconcile` after `events` events of 20 SampleDBs, the first of which make their children. */
export const memory = async (scene: Scene, events: number, say: (line: string) => void): Promise<void> => {
  await scene.cluster.kubectl(["apply", "-f", "-"], sampledbs);
  const { file } = await bundle("reconcile", scene.folder);
  await using child = startProgram(file, scene.env);
  const url = await child.url();
  const { pid = 0 } = child;
  const [idle, idleCpu] = [await residentOf(pid), await cpuOf(pid)];
  let next = 0;
  const deliver = async (): Promise<void> => {
    while (next < events) await post(url, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, deliver));
  const { now, peak } = await residentOf(pid);
  const cpu = ((await cpuOf(pid)) - idleCpu) / events;
  say(
    `${events} events, ${cpu.toFixed(1)} ms CPU each: ${idle.now.toFixed(0)} MB before, ${now.toFixed(0)} after, ${peak.toFixed(0)} at most`,
  );
  figure("reconcile-rss-mb", now, "at-most-110");
};
