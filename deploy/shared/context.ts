import { WrongUsage } from "./flags.ts";
import { kubectlCommand } from "./kubectl.ts";
import { ProgramFailed, run } from "./run.ts";

/** Makes sure that kubectl is here and knows the context. Throws WrongUsage, or an Error where there is no kubectl. */
export const checkContext = async (context: string | undefined): Promise<void> => {
  const [program = ""] = kubectlCommand({});
  const names = await run([program, "config", "get-contexts", "-o", "name"]).catch((error: unknown) => {
    if (error instanceof ProgramFailed && error.code === "ENOENT")
      throw new Error("kubectl is not installed: https://kubernetes.io/docs/tasks/tools");
    throw error;
  });
  const known = names.split("\n").filter(Boolean);
  if (context !== undefined && !known.includes(context))
    throw new WrongUsage(`--context: "${context}": your kubeconfig has ${known.join(", ") || "no context"}`);
};
