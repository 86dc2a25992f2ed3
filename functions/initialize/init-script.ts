/**
 * What the init Job runs: makes the owner role and the database, tries both passwords, and runs the init scripts as the owner, each in one
 * transaction. Environment: PGHOST, PGPORT, SUPERUSER_PASSWORD, OWNER_PASSWORD, DATABASE_NAME, DATABASE_OWNER, SECRET_NAME,
 * SUPERUSER_SECRET_NAME, MODE ("initialize", or "verify" for a volume whose scripts ran before). Scripts are the working folder's files
 * `<number>/<configmap|secret>/<object>/<key>`. Exit 65: a password does not fit the data. Exit 66: a script failed; its error is told.
 * Anything else is worth another try.
 */
export const INIT_SCRIPT = `set -euo pipefail
umask 077
# A script may run programs (\\!), and those can read the environment that this process began with: begin anew without the passwords.
if [ -n "\${SUPERUSER_PASSWORD:-}\${OWNER_PASSWORD:-}" ]; then
  itself=("$0")
  if [ -n "\${BASH_EXECUTION_STRING:-}" ]; then itself=(-c "$BASH_EXECUTION_STRING"); fi
  exec env -u SUPERUSER_PASSWORD -u OWNER_PASSWORD bash "\${itself[@]}" \\
    3< <(printf '%s\\0' "\${SUPERUSER_PASSWORD:?}" "\${OWNER_PASSWORD:?}")
fi
IFS= read -r -d '' -u 3 superuser_password
IFS= read -r -d '' -u 3 owner_password
exec 3<&-
options=(--no-psqlrc --quiet --tuples-only --no-align --no-password --set=ON_ERROR_STOP=1)
work=$(mktemp -d)
errors=$work/errors

say() {
  printf 'sampledb: %s\\n' "$1" >&2
}

# The last words of this container: neither password, and short enough to be kept whole.
fail() {
  local text=\${2//"$superuser_password"/***}
  text=\${text//"$owner_password"/***}
  # A name that differs from try to try would make the same failure look new.
  text=\${text//"$work/"/}
  text=\${text:0:1800}
  say "$text"
  if [ -w /dev/termination-log ]; then
    printf 'sampledb: %s\\n' "$text" >/dev/termination-log
  fi
  exit "$1"
}

as_superuser() {
  PGPASSWORD=$superuser_password psql "\${options[@]}" --username=postgres "$@"
}

as_owner() {
  PGPASSWORD=$owner_password psql "\${options[@]}" --username="$DATABASE_OWNER" --dbname="$DATABASE_NAME" "$@"
}

# verify ROLE SECRET COMMAND...: the command logs in.
verify() {
  local role=$1 secret=$2
  shift 2
  if "$@" --command='SELECT 1' >/dev/null 2>"$errors"; then return; fi
  if grep -qE 'password authentication failed|no password supplied|is not permitted to log in' "$errors"; then
    fail 65 "credentials-mismatch: role $role of the data cannot log in with the password in Secret $secret. Put the password that the data was made with there. $(tail -n 1 "$errors")"
  fi
  fail 1 "role $role cannot log in: $(tail -n 1 "$errors")"
}

await_server() {
  local attempt
  for ((attempt = 0; attempt < 60; attempt++)); do
    if pg_isready --quiet --timeout=3; then return; fi
    sleep 1
  done
  fail 1 "the database does not answer at $PGHOST:$PGPORT."
}

# An existing role keeps its password, an existing database its owner. One Job at a time; the server's log never gets the password.
make_role_and_database() {
  cat >"$work/database.sql" <<'SQL'
\\getenv password OWNER_PASSWORD
SET log_statement = none;
SET log_min_duration_statement = -1;
SET log_min_error_statement = panic;
SELECT pg_advisory_lock(hashtext('sampledb.dev/init')) \\g /dev/null
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', :'owner', :'password')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'owner') \\gexec
SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \\gexec
SQL
  if ! OWNER_PASSWORD=$owner_password as_superuser --dbname=postgres --set=owner="$DATABASE_OWNER" \\
    --set=database="$DATABASE_NAME" --file="$work/database.sql" 2>"$errors"; then
    fail 1 "role and database could not be made: $(tail -n 5 "$errors")"
  fi
}

# The table is the record: a doubled or repeated Job skips what is in it. The guard turns a script's own COMMIT into an error.
write_transaction() {
  cat >"$work/table.sql" <<'SQL'
SET client_min_messages = warning;
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('sampledb.dev/init')) \\g /dev/null
CREATE SCHEMA IF NOT EXISTS sampledb;
CREATE TABLE IF NOT EXISTS sampledb.init_scripts (
  name text NOT NULL,
  digest text PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);
COMMIT;
SQL
  cat >"$work/before.sql" <<'SQL'
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('sampledb.dev/init')) \\g /dev/null
INSERT INTO sampledb.init_scripts (name, digest) VALUES (:'sampledb_name', :'sampledb_digest');
CREATE TEMPORARY TABLE sampledb_guard (mark int) ON COMMIT DROP;
CREATE FUNCTION pg_temp.sampledb_guard() RETURNS trigger LANGUAGE plpgsql AS $guard$
BEGIN
  IF current_setting('sampledb.is_finished', true) IS DISTINCT FROM 'on' THEN
    RAISE EXCEPTION 'an init script runs in one transaction and must not end it'
      USING HINT = 'Remove BEGIN, COMMIT, END, ROLLBACK and SET CONSTRAINTS ALL from the script.';
  END IF;
  RETURN NULL;
END
$guard$;
CREATE CONSTRAINT TRIGGER sampledb_guard AFTER INSERT ON pg_temp.sampledb_guard
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.sampledb_guard();
INSERT INTO pg_temp.sampledb_guard VALUES (1);
SQL
  cat >"$work/after.sql" <<'SQL'
SET LOCAL sampledb.is_finished = 'on';
COMMIT;
SQL
}

is_recorded() {
  local count
  if ! count=$(as_owner --command="SELECT count(*) FROM sampledb.init_scripts WHERE digest = '$1'" 2>"$work/query"); then
    fail 1 "sampledb.init_scripts could not be read: $(tail -n 1 "$work/query")"
  fi
  [ "$count" = 1 ]
}

# explain KIND PATH: what psql said, from the first error on. A script from a Secret is not quoted.
explain() {
  local kind=$1 path=$2 told
  told=$(sed -n '/\\(ERROR\\|FATAL\\|PANIC\\|error\\):/,$p' "$errors" | grep -vE 'sampledb_guard\\(\\)|current transaction is aborted' || true)
  if [ "$kind" = secret ]; then
    told=$(grep -E '(ERROR|FATAL|PANIC|HINT):' <<<"$told" || true)
  fi
  told=\${told:-$(tail -n 3 "$errors")}
  told=\${told//"psql:$path:"/line }
  printf '%s' "\${told//"psql:$work/after.sql:2:"/at its end:}"
  if grep -qE 'cannot (run|be executed) .*(transaction block|from a function)' "$errors"; then
    printf '\\nAn init script runs in one transaction. Take this statement out and run it later as a client of the database.'
  fi
}

run_script() {
  local path=$1 number kind object key digest status=0
  IFS=/ read -r number kind object key <<<"$path"
  digest=$(sha256sum <"$path")
  digest=\${digest%% *}
  if is_recorded "$digest"; then
    say "script $number ($object/$key) ran before."
    return
  fi
  as_owner --set=sampledb_name="$object/$key" --set=sampledb_digest="$digest" --file="$work/before.sql" \\
    --file="$path" --file="$work/after.sql" >/dev/null 2>"$errors" || status=$?
  # Only the record counts: another Job may have been faster.
  if is_recorded "$digest"; then
    say "script $number ($object/$key) is done."
    return
  fi
  # A script can hide its errors from psql.
  if [ "$status" = 0 ] && grep -q 'ERROR:' "$errors"; then status=3; fi
  case $status in
    0) fail 66 "init-failed: $object/$key: the script ended the transaction that it ran in, or changed the connection. Remove BEGIN, COMMIT, END, ROLLBACK and \\\\connect from it." ;;
    2) fail 1 "the connection was lost while $object/$key ran: $(tail -n 1 "$errors")" ;;
    *) fail 66 "init-failed: $object/$key: $(explain "$kind" "$path")" ;;
  esac
}

await_server
verify postgres "$SUPERUSER_SECRET_NAME" as_superuser --dbname=postgres
if [ "$MODE" != verify ]; then make_role_and_database; fi
verify "$DATABASE_OWNER" "$SECRET_NAME" as_owner
if [ "$MODE" = verify ]; then
  say "both passwords fit the data."
  exit 0
fi
# A key may begin with a dot.
shopt -s nullglob dotglob
scripts=([0-9]*/*/*/*)
if [ "\${#scripts[@]}" -gt 0 ]; then
  write_transaction
  if ! as_owner --file="$work/table.sql" 2>"$errors"; then
    fail 1 "sampledb.init_scripts could not be made: $(tail -n 5 "$errors")"
  fi
fi
for script in "\${scripts[@]}"; do run_script "$script"; done
say "role $DATABASE_OWNER and database $DATABASE_NAME are ready, \${#scripts[@]} init scripts ran."
`;
