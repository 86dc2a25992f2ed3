/**
 * Small reviews, one after the other, alone and beside reviews of nearly 7 MiB, in turns, on one process of `admission` in the image's
 * environment: how long a small one may have to wait. `node test/bench/large-reviews/index.ts [ROUNDS]` (5), about half a minute.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle } from "../../support/build/bundle.ts";
import { imageEnv } from "../../support/build/image-env.ts";
import { largeLabels } from "../../support/large-labels.ts";
import { makeReview } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { figure, median } from "../figure.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const MIB = 2 ** 20;

const small = JSON.stringify(makeReview(makeSampleDB()));
const manyLabels = makeSampleDB({ metadata: { name: "orders", labels: largeLabels(3.2 * MIB) } });
const denselyNested = {
  ...makeSampleDB(),
  metadata: {
    name: "orders",
    managedFields: Array.from({ length: (3.2 * MIB) / 17 }, () => ({ "f:a": { "f:b": {} } })),
  },
};
const manyFinalizers = makeSampleDB({
  metadata: {
    name: "orders",
    finalizers: Array.from({ length: (3.2 * MIB) / 6 }, (_, index) => `a/${index % 10}`),
  },
});
/** What the API server lets through and no function does: what is left out of it would make another message. */
const manyScripts = { ...makeSampleDB(), spec: { init: Array.from({ length: MIB }, () => ({})) } };
const LARGE = [manyLabels, denselyNested, manyFinalizers, manyScripts].map((object) =>
  JSON.stringify(makeReview(object, object)),
);

const post = async (port: number, agent: Agent, body: string): Promise<number> => {
  const began = performance.now();
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const call = request({ port, path: "/mutate?timeout=30s", method: "POST", agent, headers });
  call.end(body);
  const [response] = await once(call, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  return performance.now() - began;
};

const folder = await mkdtemp(join(tmpdir(), "bench-large-reviews-"));
const { file } = await bundle("admission", folder);
const child = spawn(process.execPath, [file], {
  env: { ...(await imageEnv()), PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface(child.stdout), "line");
child.stdout.resume();
const { port }: { readonly port: number } = JSON.parse(String(line));
const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;

for (let count = 0; count < 200; count += 1) await post(port, agents[0], small);
const [alone, beside, large]: [number[], number[], number[]] = [[], [], []];
for (let round = 0; round < ROUNDS; round += 1)
  for (const body of LARGE) {
    for (let count = 0; count < 100; count += 1) alone.push(await post(port, agents[0], small));
    const flight = { isAnswered: false };
    const big = post(port, agents[1], body).finally(() => {
      flight.isAnswered = true;
    });
    while (!flight.isAnswered) beside.push(await post(port, agents[0], small));
    large.push(await big);
  }
const memory = /VmHWM:\s+(\d+)/u.exec(await readFile(`/proc/${child.pid}/status`, "utf8"))?.[1];
child.kill();
await rm(folder, { recursive: true });

figure("small-review-alone-ms", median(alone), "information");
figure("small-review-beside-large-ms", median(beside), "information");
figure("small-review-beside-large-worst-ms", Math.max(...beside), "at-most-100");
figure("small-review-alone-worst-ms", Math.max(...alone), "information");
figure("large-review-ms", median(large), "information");
figure("large-review-peak-mb", Number(memory) / 1024, "at-most-448");
