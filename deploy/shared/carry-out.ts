import { Failure, wordsOf } from "./failure.ts";
import { ProgramFailed } from "./run.ts";
import type { Step } from "./step.ts";
import type { Tools } from "./tools.ts";
import { Hopeless, waitUntil } from "./wait-until.ts";

const failed = (title: string, error: unknown): Failure =>
  new Failure(`${title}: ${error instanceof ProgramFailed ? error.complaint : wordsOf(error)}`);

const awaited = async (step: Step & { do: "await" }, tools: Tools, timeoutMs: number): Promise<string> => {
  const look = async (): Promise<string | undefined> => {
    if (tools.signal.aborted) throw new Hopeless("interrupted");
    const found = await tools.kubectl(["get", ...step.args, "--ignore-not-found", "-o", "name"]);
    return found.trim() === "" ? undefined : found;
  };
  await waitUntil(look, { what: step.title, timeoutMs, everyMs: 500 });
  return "";
};

const one = (step: Step, tools: Tools, timeoutMs: number): Promise<string> => {
  if (step.do === "await") return awaited(step, tools, timeoutMs);
  return step.do === "kubectl"
    ? tools.kubectl(step.args, step.input)
    : tools.run(["faas-cli", ...step.args], step.env);
};

/** Does one step after the other, says each, and gives what each printed. Throws a Failure at the first that fails. */
export const carryOut = async (
  steps: readonly Step[],
  tools: Tools,
  timeoutMs: number,
): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const step of steps) {
    tools.say(`  ${step.title}`);
    said.push(
      await one(step, tools, timeoutMs).catch((error: unknown) => {
        throw failed(step.title, error);
      }),
    );
  }
  return said;
};
