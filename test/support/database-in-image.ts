import { chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { INIT_SCRIPT } from "../../functions/initialize/init-script.ts";
import { START_SCRIPT } from "../../functions/provision/start-script.ts";
import { diskFolder } from "./images/disk-folder.ts";
import { type UnpackedImage, unpackImage } from "./images/unpacked-image.ts";

const POSTGRES = 999;

// /mnt stands for the pod's mounts: `volume` for /data, `config` for /etc/sampledb, `init` for the scripts.
const PRELUDE = `
set -uo pipefail
# Runs start.sh until the server accepts connections; prints how it ended if it does.
start() {
  bash /mnt/config/start.sh >/tmp/server.log 2>&1 & server=$!
  until pg_isready -q -h /var/run/postgresql -U postgres; do
    kill -0 $server 2>/dev/null || { wait $server; echo "start exit $?"; cat /tmp/server.log; return 1; }
    sleep 0.05
  done
}
stop() { kill -INT $server; wait $server; echo "stop exit $?"; }
init() { (cd /mnt/init && bash /mnt/config/init.sh 2>&1; echo "init exit $?"); }
query() { PGPASSWORD=\${PASSWORD:-$SUPERUSER_PASSWORD} psql -h 127.0.0.1 -U "\${ROLE:-postgres}" -d "\${DATABASE:-app}" -XAtqc "$1" 2>&1; }
`;

/** An empty volume and an image: what start.sh and the init Job's script meet in a pod. */
export interface DatabaseInImage extends AsyncDisposable {
  /** Runs bash as user 999 on a read-only root: `start`, `stop`, `init`, `query SQL` are there. Returns its output. */
  readonly run: (story: string, env?: Readonly<Record<string, string>>) => Promise<string>;
  /** Replaces the init scripts: `<number>/<configmap|secret>/<object>/<key>` to SQL. */
  readonly setScripts: (scripts: Readonly<Record<string, string>>) => Promise<void>;
  /** What the ConfigMap says of the volume. */
  readonly setInitialized: (isInitialized: boolean) => Promise<void>;
}

/** Unpacks the image of this archive and gives it an empty volume. Needs root. */
export async function databaseInImage(archive: string, major: string): Promise<DatabaseInImage> {
  const image = await unpackImage(archive);
  const mounts = await diskFolder("sampledb-scripts-");
  await chmod(mounts, 0o755);
  const [volume, config, init] = ["volume", "config", "init"].map((name) => path.join(mounts, name));
  if (volume === undefined || config === undefined || init === undefined) throw new Error("no folders");
  for (const folder of [volume, config, init]) await mkdir(folder);
  // As local-path makes it.
  await chmod(volume, 0o777);
  await writeFile(path.join(config, "start.sh"), START_SCRIPT);
  await writeFile(path.join(config, "init.sh"), INIT_SCRIPT);
  await writeFile(path.join(config, "initialized"), "false");
  return {
    run: async (story, env = {}) => runStory(image, { story, major, mounts }, env),
    setScripts: async (scripts) => writeScripts(init, scripts),
    setInitialized: async (isInitialized) =>
      writeFile(path.join(config, "initialized"), String(isInitialized)),
    [Symbol.asyncDispose]: async () => {
      await image[Symbol.asyncDispose]();
      await rm(mounts, { recursive: true, force: true });
    },
  };
}

async function runStory(
  image: UnpackedImage,
  told: { readonly story: string; readonly major: string; readonly mounts: string },
  env: Readonly<Record<string, string>>,
): Promise<string> {
  return image.run(["bash", "-c", `${PRELUDE}\n${told.story}\ntrue`], {
    user: POSTGRES,
    env: {
      PGDATA: "/mnt/volume/pgdata",
      SAMPLEDB_VERSION: told.major,
      PGHOST: "127.0.0.1",
      PGPORT: "5432",
      SUPERUSER_PASSWORD: "superuserpassword",
      OWNER_PASSWORD: "ownerpassword",
      DATABASE_NAME: "app",
      DATABASE_OWNER: "app",
      SECRET_NAME: "orders",
      SUPERUSER_SECRET_NAME: "orders-superuser",
      MODE: "initialize",
      ...env,
    },
    volumes: { "/mnt": told.mounts },
  });
}

async function writeScripts(folder: string, scripts: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await chown(folder, POSTGRES, POSTGRES);
  for (const [name, sql] of Object.entries(scripts)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, sql);
  }
}
