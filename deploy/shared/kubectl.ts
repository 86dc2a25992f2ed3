import { run } from "./run.ts";

/** Runs kubectl against one cluster and gives its stdout; throws with its stderr when it fails. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** A cluster that the user named. */
export type Connection = { readonly kubeconfig?: string; readonly context?: string };

/** The user's own kubectl with its connection, to be followed by arguments. */
export const kubectlCommand = ({ kubeconfig, context }: Connection): readonly string[] => [
  "kubectl",
  ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
  ...(context === undefined ? [] : ["--context", context]),
];

/** The user's own kubectl, on the cluster that they named. `signal` ends what runs. */
export const kubectlFor =
  (connection: Connection, signal?: AbortSignal): Kubectl =>
  (args, input) =>
    run([...kubectlCommand(connection), ...args], {
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
