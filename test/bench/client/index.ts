/**
 * What our client costs against bare node:https, on one API server: warm calls, the start of a process, memory.
 * Usage: node test/bench/client/index.ts [CALLS] [ROUNDS] [EVENTS]
 */
import { memory } from "./memory.ts";
import { startScene } from "./scene.ts";
import { spawns } from "./spawns.ts";
import { warm } from "./warm.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const [calls = 1000, rounds = 30, events = 2000] = process.argv.slice(2).map(Number);

await using scene = await startScene(say);
await warm(scene, calls, say);
await spawns(scene, rounds, say);
await memory(scene, events, say);
