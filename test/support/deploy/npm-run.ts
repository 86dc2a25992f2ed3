import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ProgramFailed, run } from "../../../deploy/shared/run.ts";
import { ensureBinaries } from "../cluster/binaries.ts";
import type { LocalCluster } from "../cluster/index.ts";
import type { Deployment } from "./overlay-for.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** What a script of package.json said, and its exit code. */
export type Said = { readonly code: number; readonly out: string; readonly err: string };

const scriptOf = (name: string): string => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const script = scripts[name];
  if (script === undefined) throw new Error(`package.json has no script ${name}`);
  return script;
};

/** Does what `npm run NAME -- ...` does for a user of the cluster, without npm's own second; `more` are further variables, and folders that come first on the PATH. */
export const npmRun = async (
  cluster: Pick<LocalCluster, "kubeconfig">,
  [name, ...args]: readonly [string, ...string[]],
  more: { readonly kubeconfig?: string; readonly path?: string } = {},
): Promise<Said> => {
  const kubectl = dirname((await ensureBinaries("api", () => undefined)).path("kubectl"));
  const path = [more.path, kubectl, process.env["PATH"]].filter(Boolean).join(":");
  const env = { ...process.env, PATH: path, KUBECONFIG: more.kubeconfig ?? cluster.kubeconfig };
  try {
    const out = await run(["sh", "-c", `${scriptOf(name)} "$@"`, "sh", ...args], { cwd: ROOT, env });
    return { code: 0, out, err: "" };
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return { code: Number(error.code), out: error.stdout, err: error.complaint };
  }
};

/** A user's folder with a kustomization that has a catalog of theirs, for --write. */
export const userFolder = async ({
  catalog,
}: Deployment): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = await mkdtemp(join(tmpdir(), "sampledb-ops-"));
  const patch = JSON.stringify([{ op: "replace", path: "/data", value: catalog }]);
  const patches = [{ target: { kind: "ConfigMap", name: "sampledb-catalog" }, patch }];
  await writeFile(join(path, "kustomization.yaml"), JSON.stringify({ patches }));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
};
