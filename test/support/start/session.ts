import type { Deployment } from "../deploy/overlay-for.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

/** A cluster that `npm start` works on, and what ends its stay there. */
export type Session = {
  readonly kubectl: Kubectl;
  /** kubectl with its connection, for commands that go on (watch, port-forward). */
  readonly kubectlCommand: readonly string[];
  /** Shell lines by which the user reaches the cluster. */
  readonly connectLines: readonly string[];
  readonly deployment: Deployment;
  /** Namespace that the sample goes to. */
  readonly namespace: string;
  /** Takes away everything that it made. */
  readonly end: () => Promise<void>;
};
