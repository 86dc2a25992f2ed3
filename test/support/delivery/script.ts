import { setTimeout as wait } from "node:timers/promises";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { fieldsOf, textAt } from "./change.ts";
import type { Picture } from "./picture.ts";
import type { Part } from "./plan.ts";
import type { Rules } from "./rules.ts";
import type { Deed } from "./story.ts";
import { type User, isOpen, uidIn } from "./user.ts";

type Progress = { readonly part: Part; step: number; since: number; uid: string };

export type ScriptOptions = {
  readonly user: User;
  readonly parts: readonly Part[];
  readonly picture: Picture;
  readonly rules: Rules;
  readonly say: (line: string) => void;
  /** Events about a SampleDB so far: the clock of its story. */
  readonly seen: (name: string) => number;
};

/** The object that a deed changes. */
const objectOf = (name: string, deed: Deed): { readonly kind: Kind; readonly name: string } | undefined => {
  if (deed.do === "script") return undefined;
  if (deed.do === "remove" || deed.do === "spoil") {
    return { kind: deed.child.kind, name: `${name}${deed.child.suffix}` };
  }
  return { kind: "SampleDB", name };
};

/** Tells what the users of all SampleDBs do, step by step, as soon as their gates are open and their moments have come. */
export class Script {
  readonly #options: ScriptOptions;
  readonly #progress: readonly Progress[];

  constructor(options: ScriptOptions) {
    this.#options = options;
    this.#progress = options.parts.map((part) => ({ part, step: 0, since: 0, uid: "" }));
  }

  get isDone(): boolean {
    return this.#progress.every(({ part, step }) => step === part.story.steps.length);
  }

  settle(): Promise<void> {
    return this.#options.user.settle();
  }

  /** What is waited for, for messages. */
  awaited(): string {
    return this.#progress
      .flatMap(({ part, step }) => {
        const next = part.story.steps[step];
        return next === undefined ? [] : [`${part.name}: ${next.when}`];
      })
      .join(", ");
  }

  /** Does every step whose time has come; whether there was one. Where nothing happens any more, no moment is waited for. */
  async advance(now: { readonly isQuiet: boolean; readonly isSerial: boolean }): Promise<boolean> {
    let hasActed = false;
    for (const progress of this.#progress) {
      if (!this.#isDue(progress, now)) continue;
      await this.#act(progress);
      hasActed = true;
      if (now.isSerial) break;
    }
    return hasActed;
  }

  #isDue(
    { part, step, since }: Progress,
    { isQuiet, isSerial }: { readonly isQuiet: boolean; readonly isSerial: boolean },
  ): boolean {
    const next = part.story.steps[step];
    if (next === undefined) return false;
    const hasCome = this.#options.seen(part.name) - since >= (part.moments[step] ?? 0) && !isSerial;
    return (isQuiet || hasCome) && isOpen(next.when, this.#options.picture, part.name);
  }

  async #act(progress: Progress): Promise<void> {
    const { user, say, seen } = this.#options;
    const { part, step } = progress;
    const deed = part.story.steps[step]?.deed;
    if (deed === undefined) return;
    progress.step += 1;
    progress.since = seen(part.name);
    say(`user: ${JSON.stringify(deed)} of ${part.name}`);
    this.#foretell(progress, deed);
    const answer = await user.act(part.name, deed);
    if (deed.do === "create") progress.uid = uidIn(answer);
    await this.#untilSeen(part.name, deed, answer);
  }

  /** Tells the rules before what is now allowed. */
  #foretell({ part, uid }: Progress, deed: Deed): void {
    const { rules } = this.#options;
    if (deed.do === "delete") rules.doom(uid);
    if (deed.do === "release") rules.release(uid);
    if (deed.do === "remove") rules.remove(deed.child.kind, `${part.name}${deed.child.suffix}`);
  }

  /** Waits until the watch has shown what was done: gates look at what it shows. */
  async #untilSeen(name: string, deed: Deed, answer: unknown): Promise<void> {
    const object = objectOf(name, deed);
    if (object === undefined) return;
    const version = Number(textAt(fieldsOf(answer), "metadata", "resourceVersion") ?? 0);
    while (!this.#options.picture.hasSeen(object.kind, object.name, version)) await wait(5);
  }
}
