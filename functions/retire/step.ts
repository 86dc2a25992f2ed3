import type { Action } from "../shared/kube/action.ts";
import type { Scene } from "./scene.ts";

/** One step of a retirement: what it still has to do ([]: it waits for what was begun), or "done", and the next one is looked at. */
export type Step = (scene: Scene) => readonly Action[] | "done";
