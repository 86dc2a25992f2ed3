import { parseArgs } from "node:util";
import type { Connection } from "../../../deploy/shared/kubectl.ts";

export type StartOptions = {
  /** Exit as soon as the sample is Ready. */
  readonly once: boolean;
  /** Deploy to the cluster that the user named, instead of a local one. */
  readonly cluster: Connection | undefined;
  /** The functions' image for a named cluster. */
  readonly image: string | undefined;
  /** Port of this machine that is forwarded to the sample's database. */
  readonly port: number;
};

export const USAGE = `Usage: npm start [-- OPTION ...]

Starts a single-node Kubernetes on this machine (Linux, root), deploys SampleDB's functions, applies the sample
database and stays until Ctrl-C, then removes what it made.

  --once             exit 0 as soon as the sample is Ready, 1 with the reason if it does not get there
  --port PORT        forward this port of the machine to the database (default 15432)
  --context NAME     use this context of your kubeconfig instead of a local cluster
  --image IMAGE      the functions' image, as a named cluster can pull it (required with --context or KUBECONFIG)
  --help             print this

With KUBECONFIG set, or with --context, the functions go to that cluster. Nothing else in it is touched, and what
was there before stays when npm start ends.
`;

/** What the command line asks for: options, the usage text, or one sentence that says what is wrong with it. */
export type Parsed =
  | { readonly kind: "start"; readonly options: StartOptions }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly sentence: string };

const FLAGS = {
  once: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  port: { type: "string", default: "15432" },
  context: { type: "string" },
  image: { type: "string" },
} as const;

const clusterFrom = (context: string | undefined, kubeconfig: string | undefined): StartOptions["cluster"] =>
  context === undefined && (kubeconfig === undefined || kubeconfig === "")
    ? undefined
    : {
        ...(kubeconfig === undefined || kubeconfig === "" ? {} : { kubeconfig }),
        ...(context === undefined ? {} : { context }),
      };

const wrong = (sentence: string): Parsed => ({ kind: "wrong", sentence });

const read = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** A named cluster pulls its image from somewhere; the local one gets what is built here. */
const imageProblem = (cluster: StartOptions["cluster"], image: string | undefined): string | undefined => {
  if (cluster !== undefined && image === undefined) {
    const by = cluster.context === undefined ? "KUBECONFIG is set" : "--context is given";
    return `${by}, so the functions go to that cluster: say with --image which image of them it can pull, or leave that out for a local cluster.`;
  }
  return cluster === undefined && image !== undefined
    ? "--image goes with --context or KUBECONFIG: the local cluster gets an image built here."
    : undefined;
};

/** Reads the command line and KUBECONFIG. */
export const parseOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Parsed => {
  const values = read(args);
  if (typeof values === "string") return wrong(`${values.replace(/\.$/u, "")}. See npm start -- --help.`);
  if (values.help) return { kind: "help" };
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return wrong(`--port: "${values.port}": give a port number from 1 to 65535.`);
  }
  const cluster = clusterFrom(values.context, env["KUBECONFIG"]);
  const problem = imageProblem(cluster, values.image);
  return problem === undefined
    ? { kind: "start", options: { once: values.once, cluster, image: values.image, port } }
    : wrong(problem);
};
