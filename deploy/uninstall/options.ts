import { CLUSTER_FLAGS, clusterOptions, type ClusterOptions } from "../shared/cluster-flags.ts";
import { parseFlags, type Parsed } from "../shared/flags.ts";

export const USAGE = `Usage: npm run uninstall -- --platform kubernetes|knative|openfaas [OPTION ...]

Takes SampleDB's functions out of a cluster: the webhook configurations first, so that nothing is refused meanwhile, then everything that npm run
deploy applied. The CRD, SampleDBs, their databases and data stay; nobody looks after them, and nothing protects them, until the functions are back.

  --context NAME      this context of your kubeconfig, instead of the current one
  --namespace NAME    the functions' namespace (default: sampledb-system; on OpenFaaS openfaas-fn)
  --component NAME    a component that was deployed; may be repeated
  --write FOLDER      the folder that npm run deploy kept the kustomization in
  --force             though SampleDBs are being deleted, which then wait until the functions are back
  --timeout SECONDS   how long to wait for the end of it all (default 600)
  --dry-run           say what would be done, and do nothing
  --help              print this

Exit code: 0 when done, 1 when not, 2 when the command is wrong.
`;

export type UninstallOptions = ClusterOptions & { readonly isForced: boolean };

/** Reads the command line. Paths are relative to `cwd`. */
export const parseOptions = (args: readonly string[], cwd: string): Parsed<UninstallOptions> =>
  parseFlags(
    args,
    { ...CLUSTER_FLAGS, force: { type: "boolean", default: false } },
    {
      command: "uninstall",
      options: (values) => ({ ...clusterOptions(values, cwd), isForced: values.force }),
    },
  );
