import type { Kubectl } from "./kubectl.ts";

/** What a command works with. */
export type Tools = {
  readonly kubectl: Kubectl;
  /** Runs another program; throws ProgramFailed when it fails. */
  readonly run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;
  /** A line for the user. */
  readonly say: (line: string) => void;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
};
