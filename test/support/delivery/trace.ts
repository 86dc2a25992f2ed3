import type { Fault } from "./faults.ts";

/** What happened in a run, in order, and how often each fault came to pass. */
export class Trace {
  readonly lines: string[] = [];
  readonly tally = new Map<Fault, number>();
  /** What a function answered that is neither 204 nor 503, and to which event. */
  readonly refused: string[] = [];
  readonly #start = performance.now();

  say(line: string): void {
    this.lines.push(`${String(Math.round(performance.now() - this.#start)).padStart(6)} ms  ${line}`);
  }

  /** A fault that came to pass. */
  count(fault: Fault): void {
    this.tally.set(fault, (this.tally.get(fault) ?? 0) + 1);
  }
}

/** Counts by name, from 0 on. */
export class Ordinals {
  readonly #counts = new Map<string, number>();

  /** How many of that name came before. */
  next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
