import { dieWithOwner } from "../die-with-owner.ts";

/** Where a cluster's processes run: on the host as they are, or inside namespaces of their own. */
export type Place = {
  /** The address at which the API server is reached from this host. */
  readonly address: string;
  /** This host's address, seen from there. */
  readonly hostAddress: string;
  /** The command that runs `argv` there. */
  wrap(argv: readonly string[]): string[];
  /** The pid, as the host sees it, of the program inside the wrapping command with this pid. */
  pidOf(wrapper: number): number | undefined;
  /** Ends everything that runs there. */
  end(): Promise<void>;
};

/** Level `api`: plain child processes on loopback; nothing that they touch is shared. */
export const hostPlace: Place = {
  address: "127.0.0.1",
  hostAddress: "127.0.0.1",
  wrap: dieWithOwner,
  pidOf: (wrapper) => wrapper,
  end: () => Promise.resolve(),
};
