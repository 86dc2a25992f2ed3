import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundle, bundleOf } from "../../support/build/bundle.ts";
import { until } from "../../support/until.ts";
import { figure, median } from "../figure.ts";
import { NAMESPACE } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** Milliseconds from the spawn of a process until its first GET had arrived at the API server, and until that was answered. */
type Spawned = { readonly arrived: number; readonly answered: number };
type Audited = { readonly requestURI: string; readonly requestReceivedTimestamp: string };

/** The first line of a function's log. */
type Listening = { readonly port: number };

/** When (as Date.now) the API server received the one request of this path. */
const arrivalOf = async ({ cluster }: Scene, path: string): Promise<number> => {
  const line = await until(`${path} in the audit log`, async () =>
    (await readFile(cluster.auditLogFile, "utf8")).split("\n").find((each) => each.includes(`${path}"`)),
  );
  const { requestReceivedTimestamp }: Audited = JSON.parse(line);
  return Date.parse(requestReceivedTimestamp);
};

const spawnGet = async (scene: Scene, program: string, mark: string): Promise<Spawned> => {
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps/orders?mark=${mark}`;
  const [date, started] = [Date.now(), performance.now()];
  const child = spawn(process.execPath, [program, path], {
    env: scene.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const answered = performance.now() - started;
  await ended;
  return { arrived: (await arrivalOf(scene, path)) - date, answered };
};

/** The whole function, which gets an event as soon as it listens. Answered is here the event, of a SampleDB that is not there. */
const spawnFunction = async (scene: Scene, program: string, mark: string): Promise<Spawned> => {
  const name = mark.toLowerCase();
  const [date, started] = [Date.now(), performance.now()];
  const child = spawn(process.execPath, [program], {
    env: { ...scene.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line]: unknown[] = await once(child.stdout, "data");
  const { port }: Listening = JSON.parse(String(line));
  const headers = {
    "content-type": "application/json",
    "ce-specversion": "1.0",
    "ce-id": mark,
    "ce-type": "dev.sampledb.bench",
    "ce-source": "/bench",
    "ce-kind": "SampleDB",
    "ce-namespace": NAMESPACE,
    "ce-name": name,
  };
  const { status } = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: "{}" });
  const answered = performance.now() - started;
  child.kill("SIGTERM");
  await ended;
  if (status !== 204) throw new Error(`the event of ${name} was answered with ${status}`);
  const path = `/apis/sampledb.dev/v1/namespaces/${NAMESPACE}/sampledbs/${name}`;
  return { arrived: (await arrivalOf(scene, path)) - date, answered };
};

const SIDES = ["bare", "ours", "reconcile"] as const;
type Side = (typeof SIDES)[number];

const programsIn = async (folder: string): Promise<Readonly<Record<Side, string>>> => {
  const program = (name: string, url: string) => bundleOf(fileURLToPath(url), name, folder);
  const bare = await program("bare", import.meta.resolve("./get-bare.ts"));
  const ours = await program("ours", import.meta.resolve("./get-ours.ts"));
  const reconcile = await bundle("reconcile", folder);
  return { bare: bare.file, ours: ours.file, reconcile: reconcile.file };
};

/** Cold starts, bundled as the image has them: a GET with our client, and of all of `reconcile`, against one with bare node:https. */
export const spawns = async (scene: Scene, rounds: number, say: (line: string) => void): Promise<void> => {
  const programs = await programsIn(scene.folder);
  const took: Record<Side, Spawned[]> = { bare: [], ours: [], reconcile: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // By turns, each first as often as the others.
    const first = round % SIDES.length;
    for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
      const start = side === "reconcile" ? spawnFunction : spawnGet;
      const one = await start(scene, programs[side], `${side}-${round}`);
      if (round > 0) took[side].push(one);
    }
  }
  const of = (side: Side, what: keyof Spawned): number => median(took[side].map((one) => one[what]));
  for (const side of SIDES)
    say(
      `spawn, ${side}: GET arrived after ${of(side, "arrived").toFixed(0)} ms, answered ${of(side, "answered").toFixed(0)}`,
    );
  figure("client-spawn-to-get-ratio", of("ours", "answered") / of("bare", "answered"), "at-most-1.8");
  figure("reconcile-spawn-to-get-ratio", of("reconcile", "arrived") / of("bare", "arrived"), "at-most-3");
};
