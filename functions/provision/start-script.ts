/**
 * start.sh, the database container's command: makes the data folder on an empty volume, then becomes PostgreSQL. It runs as user 999 on a
 * read-only root file system, in any image that follows the official one's contract (bash, `docker-entrypoint.sh`, PGDATA).
 * Exit 64: the volume was initialised once and is blank now. Its one line on standard error is the container's termination message.
 */
export const START_SCRIPT = `#!/usr/bin/env bash
set -euo pipefail
umask 077

fail() {
  printf 'sampledb: %s\\n' "$2" >&2
  exit "$1"
}

version=$(postgres --version)
version=\${version##*PostgreSQL) }
version=\${version%%[!0-9]*}
if [ "$version" != "$SAMPLEDB_VERSION" ]; then
  fail 1 "image-version: the image holds PostgreSQL $version, this database is of version $SAMPLEDB_VERSION."
fi

# initdb works in a folder beside: one that was killed leaves nothing that looks like data.
initialise() {
  local new=$PGDATA.new
  local options=(
    --pgdata="$new" --username=postgres --pwfile=/dev/fd/3 --auth=scram-sha-256 --data-checksums
    --encoding=UTF8 --locale=C.UTF-8 --text-search-config=simple --no-instructions
  )
  # From 17 on the collation is PostgreSQL's own: no C library changes the order of an index.
  if [ "$version" -ge 17 ]; then
    options+=(--locale-provider=builtin --builtin-locale=C.UTF-8)
  fi
  if ! rm -rf -- "$new" || ! mkdir -- "$new"; then
    fail 1 "volume-not-writable: user $(id -u) cannot make folders on the volume (see the line above)."
  fi
  if ! initdb "\${options[@]}" 3< <(printf '%s\\n' "$SUPERUSER_PASSWORD"); then
    fail 1 "initdb-failed: see the lines above."
  fi
  printf 'host all all all scram-sha-256\\n' >>"$new/pg_hba.conf"
  sync "$new/pg_hba.conf" "$new"
  mv -T -- "$new" "$PGDATA"
  sync "$(dirname "$PGDATA")"
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  case $(cat "\${0%/*}/initialized") in
    false) ;;
    true) fail 64 "volume-blank: there was a database on this volume and $PGDATA is empty now. It is not made anew: bring the data back, or delete the SampleDB and its claim to begin with an empty one." ;;
    *) fail 1 "config-unreadable: \${0%/*}/initialized says neither true nor false." ;;
  esac
  if [ -n "$(ls -A "$PGDATA" 2>/dev/null)" ]; then
    fail 1 "volume-foreign: $PGDATA has files in it but no PostgreSQL data."
  fi
  if [ -z "\${SUPERUSER_PASSWORD:-}" ]; then
    fail 1 "password-missing: the superuser's Secret has no password to make the database with."
  fi
  # The first process of a container ignores signals that it does not handle.
  trap 'exit 143' INT TERM
  initialise
fi
unset SUPERUSER_PASSWORD
# A volume's driver may have opened it for its group, which PostgreSQL refuses.
chmod 0700 "$PGDATA"
exec docker-entrypoint.sh postgres \\
  -c listen_addresses='*' \\
  -c port=5432 \\
  -c unix_socket_directories=/var/run/postgresql \\
  -c password_encryption=scram-sha-256 \\
  -c huge_pages=off \\
  -c logging_collector=off \\
  -c log_destination=stderr
`;
