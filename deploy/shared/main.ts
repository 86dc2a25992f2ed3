import { type Connection, kubectlFor } from "./kubectl.ts";
import { Failure, wordsOf } from "./failure.ts";
import { type Parsed, WrongUsage } from "./flags.ts";
import { run } from "./run.ts";
import type { Tools } from "./tools.ts";

const INTERRUPTED = 130;

type Command<Options> = {
  readonly parsed: Parsed<Options>;
  readonly usage: string;
  readonly connection: (options: Options) => Connection;
  /** What to say after Ctrl-C. */
  readonly interrupted: string;
  readonly go: (options: Options, tools: Tools) => Promise<void>;
};

/** Aborted by Ctrl-C; a second one ends the process at once. What is under way is ended too. */
const interruption = (): AbortSignal => {
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(INTERRUPTED);
      interrupt.abort();
    });
  return interrupt.signal;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (text: string): void => void process.stderr.write(`${text.trimEnd()}\n`);

const exitCodeOf = (error: unknown, signal: AbortSignal, interrupted: string): number => {
  // Whatever failed after Ctrl-C failed because of it.
  if (signal.aborted) {
    complain(`\nInterrupted. ${interrupted}`);
    return INTERRUPTED;
  }
  complain(
    error instanceof Failure || error instanceof WrongUsage ? error.message : `Failed: ${wordsOf(error)}`,
  );
  return error instanceof WrongUsage ? 2 : 1;
};

/** Runs a command to its end and gives its exit code: 0 done, 1 not done, 2 a command that cannot be meant, 130 interrupted. */
export const main = async <Options>(command: Command<Options>): Promise<number> => {
  const { parsed, usage, interrupted } = command;
  if (parsed.kind === "help") {
    process.stdout.write(usage);
    return 0;
  }
  if (parsed.kind === "wrong") {
    complain(parsed.sentence);
    return 2;
  }
  const signal = interruption();
  try {
    await command.go(parsed.options, {
      kubectl: kubectlFor(command.connection(parsed.options), signal),
      run: (argv, env) =>
        run(argv, { signal, ...(env === undefined ? {} : { env: { ...process.env, ...env } }) }),
      say,
      signal,
    });
    return 0;
  } catch (error) {
    return exitCodeOf(error, signal, interrupted);
  }
};
