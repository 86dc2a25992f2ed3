import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { diskFolder } from "../support/images/disk-folder.ts";
import { buildFunctionsImage } from "../support/images/functions-image.ts";
import { ensureImages, type ImagePaths } from "../support/images/ensure-images.ts";
import { unpackImage, type UnpackedImage } from "../support/images/unpacked-image.ts";

const SKIP =
  process.platform === "linux" && process.getuid?.() === 0 ? false : "images are built by root on Linux";
const PINNED_NODE = process.version;
const POSTGRES = 999;

// Starts the image's entrypoint, waits until it takes TCP connections, runs what follows, and stops it as a kubelet does.
const START = `
  set -Eeuo pipefail
  docker-entrypoint.sh postgres >/tmp/log 2>&1 & server=$!
  trap 'if [ $? = 0 ]; then cat /tmp/log; else cat /tmp/log >&2; fi' EXIT
  until pg_isready -q -h 192.0.2.1 -U postgres; do kill -0 $server; ((SECONDS < 600)); sleep 0.05; done
  sql() { psql -h 192.0.2.1 -XAtq -v ON_ERROR_STOP=1 "$@"; }
`;
const STOP = `
  kill -INT $server
  wait $server
`;

async function temporaryFolder(): Promise<string> {
  const folder = await diskFolder("sampledb-volume-");
  await chmod(folder, 0o777);
  return folder;
}

describe("images", { skip: SKIP }, () => {
  let images: ImagePaths;

  before(async () => {
    images = await ensureImages({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  });

  for (const major of ["15", "17"] as const) {
    describe(`postgres:${major}`, () => {
      let image: UnpackedImage;
      let volume: string;
      let scripts: string;
      const shell = async (
        script: string,
        env: Record<string, string>,
        { user = POSTGRES, data = volume } = {},
      ): Promise<string> =>
        image.run(["bash", "-c", script], {
          user,
          env: { PGDATA: "/var/lib/postgresql/data/pgdata", ...env },
          volumes: { "/var/lib/postgresql/data": data, "/docker-entrypoint-initdb.d": scripts },
        });

      before(async () => {
        image = await unpackImage(major === "15" ? images.postgres15 : images.postgres17);
        volume = await temporaryFolder();
        scripts = await temporaryFolder();
        await writeFile(
          path.join(scripts, "1-table.sql"),
          "CREATE TABLE starts (at timestamptz DEFAULT now());",
        );
        await writeFile(
          path.join(scripts, "2-row.sh"),
          `psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c 'INSERT INTO starts DEFAULT VALUES'\n`,
        );
        await writeFile(path.join(scripts, "ignored.txt"), "not SQL");
      });
      after(async () => {
        await image[Symbol.asyncDispose]();
        await rm(volume, { recursive: true, force: true });
        await rm(scripts, { recursive: true, force: true });
      });

      it("carries its name and says how it runs", () => {
        assert.equal(image.reference, `localhost/postgres:${major}`);
        assert.equal(image.config.StopSignal, "SIGINT");
        assert.deepEqual(image.config.Entrypoint, ["docker-entrypoint.sh"]);
        assert.ok(image.config.Env?.includes("PGDATA=/var/lib/postgresql/data"));
        assert.ok(image.config.Env?.includes("LANG=en_US.utf8"));
      });

      it("has the tools of its major on PATH, the locale, and user 999", async () => {
        const out = await image.run(
          [
            "bash",
            "-c",
            "for tool in psql pg_dump pg_isready initdb pg_controldata; do $tool --version; done; id -un; locale -a",
          ],
          { user: POSTGRES },
        );
        assert.match(out, new RegExp(`psql \\(PostgreSQL\\) ${major}\\.\\d+`, "u"));
        assert.match(out, new RegExp(`pg_dump \\(PostgreSQL\\) ${major}\\.`, "u"));
        assert.match(out, /^postgres$/mu);
        assert.match(out, /^en_US\.utf8$/mu);
      });

      it("refuses to initialise without a password, and leaves the volume empty", async () => {
        const out = shell("docker-entrypoint.sh postgres", {});
        await assert.rejects(out, /superuser password is not specified/u);
        assert.equal(await shell(`ls "$PGDATA"`, {}), "");
      });

      it("refuses a setting that is given twice", async () => {
        const env = { POSTGRES_PASSWORD: "one", POSTGRES_PASSWORD_FILE: "/dev/null" };
        await assert.rejects(
          shell("docker-entrypoint.sh postgres", env),
          /both POSTGRES_PASSWORD and POSTGRES_PASSWORD_FILE are set/u,
        );
      });

      it("initialises an empty volume: password by SCRAM, database, arguments and scripts", async () => {
        const env = {
          POSTGRES_PASSWORD: "it's $ecret",
          POSTGRES_USER: "owner",
          POSTGRES_DB: "orders",
          POSTGRES_INITDB_ARGS: "--data-checksums --auth-local='scram-sha-256'",
          PGPASSWORD: "it's $ecret",
        };
        const out = await shell(
          `${START}
          sql -U owner -d orders -c "SELECT 'verifier ' || left(rolpassword, 13) FROM pg_authid WHERE rolname = 'owner'" \\
            -c "SELECT 'checksums ' || current_setting('data_checksums')" -c "SELECT 'rows ' || count(*) FROM starts" \\
            -c "SELECT 'encoding ' || pg_encoding_to_char(encoding) || ' ' || datcollate FROM pg_database WHERE datname = 'orders'" \\
            -c "SELECT 'version ' || current_setting('server_version_num')::int / 10000"
          PGPASSWORD=wrong sql -U owner -d orders -c "SELECT 'let in'" || echo "refused"
          PGPASSWORD=wrong psql -XAtq -U owner -d orders -c "SELECT 'let in'" || echo "refused locally"
          ${STOP}`,
          env,
        );
        for (const line of [
          "verifier SCRAM-SHA-256",
          "checksums on",
          "rows 1",
          "encoding UTF8 en_US.utf8",
          `version ${major}`,
          "refused",
          "refused locally",
        ]) {
          assert.match(out, new RegExp(`^${line}$`, "mu"));
        }
        assert.doesNotMatch(out, /let in/u);
        assert.match(out, /ignoring .*ignored\.txt/u);
        assert.match(out, /init process complete/u);
      });

      it("starts a second time on the same volume without initialising", async () => {
        const env = { POSTGRES_PASSWORD: "another", PGPASSWORD: "it's $ecret" };
        const out = await shell(
          `${START}\nsql -U owner -d orders -c "SELECT 'rows ' || count(*) FROM starts"\n${STOP}`,
          env,
        );
        assert.match(out, /Skipping initialization/u);
        assert.match(out, /^rows 1$/mu);
      });

      it("as root takes a strange volume over, reads *_FILE settings, and runs the server as postgres", async (t) => {
        const own = await temporaryFolder();
        t.after(async () => rm(own, { recursive: true, force: true }));
        await mkdir(path.join(own, "pgdata"));
        await chown(path.join(own, "pgdata"), 4321, 4321);
        await writeFile(path.join(own, "password"), "from a file\n");
        const env = {
          POSTGRES_PASSWORD_FILE: "/var/lib/postgresql/data/password",
          POSTGRES_INITDB_ARGS: "--no-sync",
        };
        const story = `${START}
          PGPASSWORD='from a file' sql -U postgres -c "SELECT 'trusted ' || current_user"
          echo "runs as $(stat -c %U /proc/$server) in $(stat -c %U "$PGDATA")"
          ${STOP}`;
        const out = await shell(story, env, { user: 0, data: own });
        assert.match(out, /^trusted postgres$/mu);
        assert.match(out, /^runs as postgres in postgres$/mu);
      });

      it("initialises as a user that has no name", async (t) => {
        const own = await temporaryFolder();
        t.after(async () => rm(own, { recursive: true, force: true }));
        const env = { POSTGRES_PASSWORD: "x", POSTGRES_INITDB_ARGS: "--no-sync" };
        const story = `${START}\nPGPASSWORD=x sql -U postgres -c "SELECT 'hello'"\n${STOP}`;
        const out = await shell(story, env, { user: 12_345, data: own });
        assert.match(out, /^hello$/mu);
      });
    });
  }

  it("node:24 runs the pinned Node as user 1000, who is called node", async () => {
    await using image = await unpackImage(images.node24);
    const out = await image.run(["sh", "-c", "node --version; id -un"], { user: 1000 });
    assert.equal(out, `${PINNED_NODE}\nnode\n`);
  });

  it("pause waits without anything from outside, and ends well when it is told to", async () => {
    await using image = await unpackImage(images.pause);
    assert.equal(image.reference, "localhost/pause:3");
    const pause = spawn(path.join(image.root, image.config.Entrypoint?.[0] ?? ""), {
      stdio: "ignore",
      env: {},
    });
    const ended = once(pause, "exit");
    await once(pause, "spawn");
    const handlesTerm = async (): Promise<boolean> => {
      const caught = /^SigCgt:\s*(?<mask>[0-9a-f]+)$/mu.exec(
        await readFile(`/proc/${pause.pid}/status`, "utf8"),
      );
      return (BigInt(`0x${caught?.groups?.["mask"] ?? "0"}`) & (1n << 14n)) !== 0n;
    };
    while (!(await handlesTerm())) assert.equal(pause.exitCode, null);
    pause.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
  });

  it("the functions' image runs the bundle that its argument names, as a user that is not root", async (t) => {
    const dist = await temporaryFolder();
    t.after(async () => rm(dist, { recursive: true, force: true }));
    await writeFile(
      path.join(dist, "hello.mjs"),
      "process.stdout.write(`hello ${process.getuid()} ${process.cwd()}`)",
      {
        mode: 0o600,
      },
    );
    await using image = await unpackImage(await buildFunctionsImage({ dist, onProgress: () => {} }));
    assert.equal(image.reference, "localhost/sampledb-functions:dev");
    assert.equal(image.config.User, "1000:1000");
    const command = [...(image.config.Entrypoint ?? []), "hello.mjs"];
    const inFolder = ["sh", "-c", `cd ${image.config.WorkingDir ?? ""} && exec "$@"`, "sh", ...command];
    assert.equal(await image.run(inFolder, { user: 1000 }), "hello 1000 /app");
  });
});
