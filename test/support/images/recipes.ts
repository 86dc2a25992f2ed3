import { chmod, copyFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";

import { run } from "../cluster/run.ts";
import { makeDebianRoot } from "./debian-root.ts";
import type { RunConfig } from "./image-archive.ts";

const HERE = import.meta.dirname;
const CHECKOUT = path.join(HERE, "../../..");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const DEBIAN_CODE = [path.join(HERE, "recipes.ts"), path.join(HERE, "debian-root.ts")];

/** How an image is made. It is made again when one of `inputs` or the content of one of `files` changes. */
export interface Recipe {
  readonly reference: string;
  readonly file: string;
  readonly config: RunConfig;
  readonly inputs: readonly string[];
  readonly files: readonly string[];
  /** Fills the folder `root`, which does not exist yet. */
  readonly makeRoot: (root: string) => Promise<void>;
}

/** The sandbox container's image. */
export function pauseRecipe(): Recipe {
  const source = path.join(HERE, "pause/pause.c");
  return {
    reference: "localhost/pause:3",
    file: "pause.tar",
    config: { Entrypoint: ["/pause"], User: "65535:65535" },
    inputs: [],
    files: [source],
    makeRoot: async (root) => {
      await mkdir(root);
      const program = path.join(root, "pause");
      await run(["gcc", "-O2", "-Wall", "-Werror", "-static", "-s", "-o", program, source]);
      // Whatever this process's umask is.
      await chmod(program, 0o755);
    },
  };
}

/** PostgreSQL with the official image's contract, of the major that this Debian release ships. */
export function postgresRecipe(major: string, suite: string): Recipe {
  const folder = path.join(HERE, "postgres");
  const before = path.join(folder, "before-packages.sh");
  const after = path.join(folder, "after-packages.sh");
  const packages = [`postgresql-${major}`, "locales", "libnss-wrapper", "less", "xz-utils", "zstd"];
  return {
    reference: `localhost/postgres:${major}`,
    file: `postgres-${major}.tar`,
    config: {
      Env: [
        `PATH=${PATH}:/usr/lib/postgresql/${major}/bin`,
        "LANG=en_US.utf8",
        `PG_MAJOR=${major}`,
        "PGDATA=/var/lib/postgresql/data",
      ],
      Entrypoint: ["docker-entrypoint.sh"],
      Cmd: ["postgres"],
      ExposedPorts: { "5432/tcp": {} },
      Volumes: { "/var/lib/postgresql/data": {} },
      StopSignal: "SIGINT",
    },
    inputs: [suite, packages.join(" ")],
    files: [before, after, path.join(folder, "docker-entrypoint.sh"), ...DEBIAN_CODE],
    makeRoot: async (root) =>
      makeDebianRoot({ suite, packages, before, after, env: { PG_MAJOR: major } }, root),
  };
}

/** The Node that package.json pins on Debian, with the official image's user: the functions' base. */
export async function nodeRecipe(): Promise<Recipe> {
  const version = await pinnedNode();
  const after = path.join(HERE, "node/after-packages.sh");
  const binary = path.join(CHECKOUT, "node_modules/node/bin/node");
  return {
    reference: "localhost/node:24",
    file: "node-24.tar",
    config: { Env: [`PATH=${PATH}`, `NODE_VERSION=${version}`], Cmd: ["node"] },
    inputs: [version],
    files: [after, ...DEBIAN_CODE],
    makeRoot: async (root) => {
      await makeDebianRoot({ suite: "bookworm", packages: ["libstdc++6"], after }, root);
      await copyFile(binary, path.join(root, "usr/local/bin/node"));
    },
  };
}

async function pinnedNode(): Promise<string> {
  const text = await readFile(path.join(CHECKOUT, "package.json"), "utf8");
  const found = /"node": "(?<version>\d+\.\d+\.\d+)"/u.exec(text)?.groups?.["version"];
  if (found === undefined) throw new Error("package.json does not pin the development dependency `node`.");
  return found;
}
