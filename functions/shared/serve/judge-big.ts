import type { Worker } from "node:worker_threads";
import type { Catalog } from "../api/catalog.ts";
import type { Answer } from "./admission-answer.ts";

/** Argument that makes a function's program judge for another thread instead of listening. */
export const JUDGE_ARGUMENT = "--judge-for-another-thread";

/** What the thread is asked: a review's bytes, for the function of this name. */
export type Question = {
  readonly id: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly catalog: Catalog;
};

/** What the thread answers. */
export type Reply = { readonly id: number; readonly answer: Answer };

/** Judges the bytes of one review for the function of this name. Rejects where the thread ended under it. */
export type JudgeBig = (name: string, bytes: Buffer, catalog: Catalog) => Promise<Answer>;

/** Megabytes: what 3 MiB of nonsense become, for what makes sense is cut down to little. Beyond, the thread ends, and not the process, which has 256 MiB in the manifests. */
const HEAP_MB = 48;
const YOUNG_MB = 16;

/** A thread that has nothing to do keeps its memory no longer than this. */
const IDLE_MS = 5000;

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (cause: Error) => void };

/** One thread while there is something to judge, and a little longer. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: () => void;
  #asked = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(worker: Worker, ended: () => void) {
    this.#worker = worker;
    this.#ended = ended;
    worker.on("message", ({ id, answer }: Reply) => this.#answered(id, answer));
    const end = (cause: Error): void => {
      ended();
      for (const { reject } of this.#waiting.values()) reject(cause);
      this.#waiting.clear();
    };
    worker.on("error", (cause) => end(cause instanceof Error ? cause : new Error(String(cause))));
    worker.on("exit", () => end(new Error("the judging thread ended")));
    // A process that ends does not wait for it: whoever waits for an answer holds a connection.
    worker.unref();
  }

  static async start(program: string, ended: () => void): Promise<Thread> {
    const { Worker: WorkerThread } = await import("node:worker_threads");
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB };
    return new Thread(new WorkerThread(program, { argv: [JUDGE_ARGUMENT], resourceLimits }), ended);
  }

  #answered(id: number, answer: Answer): void {
    this.#waiting.get(id)?.resolve(answer);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => this.#end(), IDLE_MS);
    this.#idle.unref();
  }

  #end(): void {
    // At once: what is asked from now on needs another thread.
    this.#ended();
    void this.#worker.terminate();
  }

  judge(name: string, bytes: Buffer, catalog: Catalog): Promise<Answer> {
    clearTimeout(this.#idle);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#asked += 1;
    this.#waiting.set(this.#asked, { resolve, reject });
    const question: Question = { id: this.#asked, name, bytes, catalog };
    // Handed over, not copied: there may be no memory for both. A short one shares its memory with others.
    const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
    this.#worker.postMessage(question, isWhole ? [bytes.buffer] : []);
    return promise;
  }
}

/**
 * Judges big reviews in a thread of its own, so that nobody waits behind one: 7 MiB of JSON can take a second. `program` is the file that
 * calls `serveAdmission` with the same functions.
 */
export const judgeBigBy = (program: string): JudgeBig => {
  let thread: Promise<Thread> | undefined;
  return async (name, bytes, catalog) => {
    const current = (thread ??= Thread.start(program, () => {
      if (thread === current) thread = undefined;
    }));
    return (await current).judge(name, bytes, catalog);
  };
};
