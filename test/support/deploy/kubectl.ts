import { run } from "../cluster/run.ts";

/** Runs kubectl against one cluster and gives its stdout; throws with its stderr when it fails. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** The user's own kubectl, on the cluster that they named. */
export const kubectlFor =
  (connection: { readonly kubeconfig?: string; readonly context?: string }): Kubectl =>
  (args, input) =>
    run(
      [
        "kubectl",
        ...(connection.kubeconfig === undefined ? [] : ["--kubeconfig", connection.kubeconfig]),
        ...(connection.context === undefined ? [] : ["--context", connection.context]),
        ...args,
      ],
      input === undefined ? {} : { input },
    );
