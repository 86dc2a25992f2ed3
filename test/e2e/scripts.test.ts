import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { type DatabaseInImage, databaseInImage } from "../support/database-in-image.ts";
import { ensureDebianPackages } from "../support/debian-packages.ts";
import { type ImagePaths, ensureImages } from "../support/images/ensure-images.ts";

const SKIP =
  process.platform === "linux" && process.getuid?.() === 0 ? false : "images are built by root on Linux";

const SCHEMA = "CREATE TABLE items (id int PRIMARY KEY);\nINSERT INTO items VALUES (1);\n";
const TABLES =
  "query \"SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'\"";

/** A script that fails, what the Job says of it, and nothing of it stays. */
const FAILURES = [
  {
    name: "a wrong statement, with its line",
    sql: "CREATE TABLE bad (id int);\nSELEKT 1;\n",
    says: /^sampledb: init-failed: orders-sql\/script\.sql: line 2: ERROR: {2}syntax error at or near "SELEKT"\nLINE 1: SELEKT 1;/mu,
  },
  {
    name: "COMMIT",
    sql: "CREATE TABLE bad (id int);\nCOMMIT;\n",
    says: /line 2: ERROR: .* must not end it\nHINT: {2}Remove BEGIN/u,
  },
  {
    name: "BEGIN and END",
    sql: "BEGIN;\nCREATE TABLE bad (id int);\nEND;\n",
    says: /line 3: ERROR: .* must not end it/u,
  },
  {
    name: "ROLLBACK",
    sql: "CREATE TABLE bad (id int);\nROLLBACK;\n",
    says: /the script ended the transaction that it ran in/u,
  },
  {
    name: "VACUUM, which PostgreSQL refuses in a transaction",
    sql: "VACUUM;\n",
    says: /cannot run inside a transaction block\nAn init script runs in one transaction\. Take this statement out/u,
  },
  {
    name: "errors hidden from psql",
    sql: "\\set ON_ERROR_STOP off\nSELEKT 1;\nCREATE TABLE bad (id int);\n",
    says: /line 2: ERROR: {2}syntax error/u,
  },
  {
    name: "a deferred constraint",
    sql: "CREATE TABLE bad (id int PRIMARY KEY REFERENCES bad DEFERRABLE INITIALLY DEFERRED, up int REFERENCES bad DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO bad VALUES (1, 2);\n",
    says: /at its end: ERROR: .* violates foreign key constraint/u,
  },
  {
    name: "the owner's password",
    sql: "SELECT 'ownerpassword'::int;\n",
    says: /invalid input syntax for type integer: "\*\*\*"/u,
  },
];

describe("start.sh and the init Job's script, in the images", { skip: SKIP }, () => {
  let images: ImagePaths;

  before(async () => {
    await ensureDebianPackages(["iproute2"]);
    images = await ensureImages({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  });

  for (const major of ["15", "17"] as const) {
    describe(`on PostgreSQL ${major}`, () => {
      let database: DatabaseInImage;

      before(async () => {
        database = await databaseInImage(major === "15" ? images.postgres15 : images.postgres17, major);
      });
      after(async () => database[Symbol.asyncDispose]());

      it("refuse an image of another major, and a superuser without a password", async () => {
        const wrong = await database.run("start", { SAMPLEDB_VERSION: "16" });
        assert.match(
          wrong,
          /start exit 1\nsampledb: image-version: the image holds PostgreSQL 1\d, this database is of version 16/u,
        );
        const bare = await database.run("start", { SUPERUSER_PASSWORD: "" });
        assert.match(bare, /start exit 1\nsampledb: password-missing:/u);
      });

      it("leave nothing that looks like data when initdb is killed", async () => {
        const left = await database.run(`
          bash /mnt/config/start.sh >/dev/null 2>&1 & killed=$!
          until [ -e "$PGDATA.new/global" ] || [ -e "$PGDATA" ]; do sleep 0.01; done
          kill -KILL $killed
          ls /mnt/volume`);
        assert.equal(left.trim(), "pgdata.new");
      });

      it("make data with SCRAM for every line, checksums and UTF-8, and answer over TCP", async () => {
        const out = await database.run(`start
          DATABASE=postgres query "SELECT current_setting('data_checksums'), current_setting('password_encryption')"
          DATABASE=postgres query "SELECT DISTINCT 'method ' || auth_method FROM pg_hba_file_rules"
          DATABASE=postgres query "SELECT DISTINCT pg_encoding_to_char(encoding), datlocprovider, datctype FROM pg_database"
          PASSWORD=wrong DATABASE=postgres query "SELECT 'let in'"
          psql -h /var/run/postgresql -U postgres -wc "SELECT 'let in'" 2>&1
          ls /mnt/volume
          grep -c superuserpassword /tmp/server.log
          tr '\\0' '\\n' </proc/$server/environ | grep -c superuserpassword
          stop`);
        for (const line of [
          "on|scram-sha-256",
          "method scram-sha-256",
          `UTF8|${major === "15" ? "c" : "b"}|C.UTF-8`,
          "pgdata",
          "stop exit 0",
        ]) {
          assert.ok(out.split("\n").includes(line), `${line}\n${out}`);
        }
        assert.match(out, /password authentication failed for user "postgres"/u);
        assert.doesNotMatch(out, /let in|method (?!scram)|pgdata\.new/u);
        assert.equal(out.match(/^0$/gmu)?.length, 2);
      });

      it("make role, database and tables; a second and a doubled Job change nothing", async () => {
        await database.setScripts({
          "001/configmap/orders-sql/schema.sql": SCHEMA,
          "002/secret/orders-more/data.sql": "INSERT INTO items VALUES (2);\n",
        });
        const out = await database.run(`start
          init & first=$!
          init
          wait $first
          init
          ROLE=app PASSWORD=ownerpassword query "SELECT 'sum ' || sum(id) FROM items"
          query "SELECT 'script ' || name FROM sampledb.init_scripts ORDER BY 1"
          query "SELECT 'owner ' || pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'app'"
          query "SELECT 'super ' || rolsuper FROM pg_roles WHERE rolname = 'app'"
          grep -ciE 'ownerpassword|superuserpassword' /tmp/server.log`);
        assert.equal(out.match(/init exit 0/gu)?.length, 3, out);
        assert.match(
          out,
          /sum 3\nscript orders-more\/data\.sql\nscript orders-sql\/schema\.sql\nowner app\nsuper false\n0\n/u,
        );
        assert.match(out, /script 001 \(orders-sql\/schema\.sql\) ran before/u);
      });

      it("find the data again after a crash, and tell passwords that do not fit it", async () => {
        await database.setInitialized(true);
        const out = await database.run(`start
          MODE=verify init
          SUPERUSER_PASSWORD=wrong init
          OWNER_PASSWORD=wrong MODE=verify init
          ${TABLES}`);
        assert.match(out, /both passwords fit the data\.\ninit exit 0/u);
        assert.match(
          out,
          /^sampledb: credentials-mismatch: role postgres .* Secret orders-superuser\..*\ninit exit 65$/mu,
        );
        assert.match(out, /^sampledb: credentials-mismatch: role app .* Secret orders\..*\ninit exit 65$/mu);
        assert.match(out, /^items$/mu);
      });

      for (const { name, sql, says } of FAILURES) {
        it(`roll back and tell a script with ${name}`, async () => {
          await database.setScripts({ "001/configmap/orders-sql/script.sql": sql });
          const out = await database.run(`start\ninit\n${TABLES}`);
          assert.match(out, says);
          assert.match(out, /init exit 66\nitems\n/u);
          assert.doesNotMatch(out, /ownerpassword/u);
        });
      }

      it("do not quote a script that comes from a Secret", async () => {
        await database.setScripts({
          "001/secret/orders-sql/script.sql": "CREATE ROLE other PASSWORD 'hidden' SELEKT;\n",
        });
        const out = await database.run("start\ninit");
        assert.match(out, /orders-sql\/script\.sql: line 1: ERROR: .*selekt/iu);
        assert.doesNotMatch(out, /hidden/u);
      });

      it("run a script once it is corrected", async () => {
        await database.setScripts({ "001/configmap/orders-sql/script.sql": "CREATE TABLE good (id int);" });
        const out = await database.run(`start\ninit\n${TABLES}`);
        assert.match(out, /init exit 0\ngood items\n/u);
      });

      it("give the superuser's password to no program that a script runs", async () => {
        const parent = "$(sed -n 's/^PPid:\\t//p' /proc/$PPID/status)";
        await database.setScripts({
          "001/configmap/orders-sql/look.sql": `\\! tr '\\0' '\\n' </proc/${parent}/environ >/tmp/seen\n`,
        });
        const out = await database.run("start\ninit\ngrep -E '^(MODE|.*PASSWORD)=' /tmp/seen");
        assert.match(out, /init exit 0\nMODE=initialize\n$/u);
      });

      it("run a script whose key begins with a dot", async () => {
        await database.setScripts({
          "001/configmap/orders-sql/.hidden.sql": "CREATE TABLE dotted (id int);",
        });
        const out = await database.run(`start\ninit\n${TABLES}`);
        assert.match(out, /init exit 0\ndotted good items\n/u);
      });

      it("never begin anew on a volume that held data", async () => {
        const out = await database.run(`rm -rf "$PGDATA"\nstart\nls -A /mnt/volume | wc -l`);
        assert.match(out, /^start exit 64\nsampledb: volume-blank: .*\n0\n/u);
      });
    });
  }
});
