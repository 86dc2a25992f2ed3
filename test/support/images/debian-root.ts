import { existsSync } from "node:fs";

import { debianMirror } from "./debian-mirror.ts";
import { runIsolated } from "./run-isolated.ts";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const MERGED_USR = "/usr/share/mmdebstrap/hooks/merged-usr";
// What nobody reads in a container. locale.alias is a setting, and localedef wants it.
const LEFT_OUT = ["doc", "man", "info", "lintian", "locale", "bash-completion"];

/** What goes into a Debian root folder. `before` and `after` are scripts that get the folder as their argument. */
export interface DebianRoot {
  readonly suite: string;
  readonly packages: readonly string[];
  readonly before?: string;
  readonly after?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes a root folder from signed Debian packages: the essential ones, those named and what these depend on. */
export async function makeDebianRoot(root: DebianRoot, folder: string): Promise<void> {
  const mirror = await debianMirror();
  const argv = [
    "mmdebstrap",
    "--mode=root",
    "--variant=essential",
    "--format=directory",
    "--skip=output/dev",
    // The folder of PostgreSQL's socket is in /run.
    "--skip=cleanup/run",
    `--include=${root.packages.join(",")}`,
    '--aptopt=APT::Install-Recommends "false"',
    // The scripts put settings in place before the packages that they belong to.
    "--dpkgopt=force-confold",
    ...LEFT_OUT.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    "--dpkgopt=path-include=/usr/share/locale/locale.alias",
    ...(root.before === undefined ? [] : [`--essential-hook=${root.before}`]),
    ...(root.after === undefined ? [] : [`--customize-hook=${root.after}`]),
    ...mergedUsr(root.suite),
    root.suite,
    folder,
    `deb [signed-by=${KEYRING}] ${mirror} ${root.suite} main`,
  ];
  await runIsolated(argv, root.env);
}

// Until bookworm a root was merged by a package that brings all of Perl; this hook does it with a link each.
function mergedUsr(suite: string): string[] {
  return suite === "bookworm" && existsSync(MERGED_USR)
    ? [`--hook-dir=${MERGED_USR}`, "--include=usr-is-merged"]
    : [];
}
