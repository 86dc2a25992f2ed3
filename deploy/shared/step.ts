import { kubectlCommand } from "./kubectl.ts";

/** One thing that is done to a cluster. */
export type Step =
  | {
      readonly do: "kubectl";
      readonly title: string;
      readonly args: readonly string[];
      readonly input?: string;
      /** What the input is, for whoever reads the plan. */
      readonly shown?: string;
    }
  | {
      readonly do: "faas-cli";
      readonly title: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly do: "await";
      readonly title: string;
      /** Arguments of `kubectl get` for what is to appear. */
      readonly args: readonly string[];
    };

const PLAIN = /^[\w@%+=:,./-]+$/u;
const quoted = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const words = (argv: readonly string[]): string => argv.map((word) => quoted(word)).join(" ");

/** A step as one would type it. */
export const shellLine = (step: Step, kubectl: readonly string[]): string => {
  if (step.do === "faas-cli") {
    const env = Object.entries(step.env).map(([name, value]) => `${name}=${quoted(value)} `);
    return `${env.join("")}faas-cli ${words(step.args)}`;
  }
  const line = words([...kubectl, ...(step.do === "await" ? ["get"] : []), ...step.args]);
  if (step.do === "await") return `until ${line}; do sleep 1; done`;
  return step.shown === undefined ? line : `${step.shown} | ${line}`;
};

/** Says what would be done on the cluster of `context`, as one would type it. */
export const tellSteps = (
  steps: readonly Step[],
  context: string | undefined,
  say: (line: string) => void,
): void => {
  const kubectl = kubectlCommand(context === undefined ? {} : { context });
  say(steps.length === 0 ? "There is nothing to do." : "Would be done (nothing was):");
  for (const step of steps) say(`  # ${step.title}\n  ${shellLine(step, kubectl)}`);
};
