#!/usr/bin/env bash
# Starts PostgreSQL as the official image's entrypoint does: on an empty PGDATA it first makes the database cluster, the
# user, the database and runs /docker-entrypoint-initdb.d; on one that has a cluster it changes nothing.
set -Eeuo pipefail

say() { printf '%s\n' "$*" >&2; }
fail() { say "Error: $*"; exit 1; }

# Takes NAME from NAME_FILE's content when that is set; otherwise NAME, otherwise the default ($2).
setting() {
  local name=$1 default=${2:-} file_name=$1_FILE
  if [[ -n ${!name:-} && -n ${!file_name:-} ]]; then fail "both $name and $file_name are set (but are exclusive)"; fi
  if [[ -n ${!file_name:-} ]]; then
    [[ -r ${!file_name} ]] || fail "$file_name: cannot read ${!file_name}"
    export "$name=$(<"${!file_name}")"
  elif [[ -z ${!name:-} ]]; then
    export "$name=$default"
  fi
  unset "$file_name"
}

settings() {
  setting POSTGRES_PASSWORD
  setting POSTGRES_USER postgres
  setting POSTGRES_DB "$POSTGRES_USER"
  setting POSTGRES_INITDB_ARGS
  : "${POSTGRES_HOST_AUTH_METHOD:=}" "${POSTGRES_INITDB_WALDIR:=}"
}

folders() {
  local folder
  mkdir -p "$PGDATA"
  # A volume's root folder may belong to somebody else, and still do.
  chmod 0700 "$PGDATA" || true
  mkdir -p /var/run/postgresql || true
  chmod 03775 /var/run/postgresql || true
  if [[ -n $POSTGRES_INITDB_WALDIR ]]; then
    mkdir -p "$POSTGRES_INITDB_WALDIR"
    chmod 0700 "$POSTGRES_INITDB_WALDIR"
  fi
  (($(id -u) == 0)) || return 0
  for folder in "$PGDATA" /var/run/postgresql ${POSTGRES_INITDB_WALDIR:+"$POSTGRES_INITDB_WALDIR"}; do
    find "$folder" \! -user postgres -exec chown postgres '{}' +
  done
}

require_password() {
  if [[ $POSTGRES_HOST_AUTH_METHOD == trust ]]; then
    say "WARNING: POSTGRES_HOST_AUTH_METHOD=trust lets anyone who reaches this server in without a password."
    return
  fi
  if [[ -n $POSTGRES_PASSWORD ]]; then return; fi
  say "Error: Database is uninitialized and superuser password is not specified."
  say "       Set POSTGRES_PASSWORD to a non-empty value for the superuser, or"
  say "       POSTGRES_HOST_AUTH_METHOD=trust to allow all connections without a password (not recommended)."
  exit 1
}

# initdb insists on a name for the user that it runs as; an id that a pod chose has none, so give it one.
name_for_user() {
  local uid wrapper
  uid=$(id -u)
  if getent passwd "$uid" >/dev/null; then return; fi
  for wrapper in /usr/lib/*/libnss_wrapper.so; do
    [[ -s $wrapper ]] || continue
    NSS_WRAPPER_PASSWD=$(mktemp) NSS_WRAPPER_GROUP=$(mktemp)
    export LD_PRELOAD=$wrapper NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP
    printf 'postgres:x:%s:%s:PostgreSQL:%s:/bin/false\n' "$uid" "$(id -g)" "$PGDATA" >"$NSS_WRAPPER_PASSWD"
    printf 'postgres:x:%s:\n' "$(id -g)" >"$NSS_WRAPPER_GROUP"
  done
}

make_cluster() {
  local -a extra=()
  # The arguments are a line of shell words, quotes included.
  eval "extra=($POSTGRES_INITDB_ARGS)"
  if [[ -n $POSTGRES_INITDB_WALDIR ]]; then extra+=(--waldir "$POSTGRES_INITDB_WALDIR"); fi
  (
    name_for_user
    # The line break lets an empty password be an empty line: initdb refuses an empty file.
    initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") "${extra[@]}"
    if [[ -n ${NSS_WRAPPER_PASSWD:-} ]]; then rm -f "$NSS_WRAPPER_PASSWD" "$NSS_WRAPPER_GROUP"; fi
  )
}

# The server's own arguments decide: one of them may be -c password_encryption=...
allow_hosts() {
  local method=$POSTGRES_HOST_AUTH_METHOD
  if [[ -z $method ]]; then method=$(postgres -C password_encryption "$@"); fi
  {
    printf '\n'
    if [[ $method == trust ]]; then printf '# warning trust is enabled for all connections\n'; fi
    printf 'host all all all %s\n' "$method"
  } >>"$PGDATA/pg_hba.conf"
}

run_sql() {
  PGHOST='' PGHOSTADDR='' psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc \
    ${POSTGRES_DB:+--dbname "$POSTGRES_DB"} "$@"
}

# No TCP while the scripts run: nobody may find a half-made database ready.
start_locally() {
  NOTIFY_SOCKET='' PGUSER=${PGUSER:-$POSTGRES_USER} pg_ctl -D "$PGDATA" -w start \
    -o "$(printf '%q ' "$@" -c listen_addresses= -p "${PGPORT:-5432}")"
}

make_database() {
  local found
  found=$(POSTGRES_DB='' run_sql --dbname postgres --set db="$POSTGRES_DB" --tuples-only \
    <<<"SELECT 1 FROM pg_database WHERE datname = :'db';")
  [[ -n $found ]] || POSTGRES_DB='' run_sql --dbname postgres --set db="$POSTGRES_DB" <<<'CREATE DATABASE :"db";'
}

run_scripts() {
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sh)
        say "$0: running $file"
        # A script without the executable bit is read into this shell, and sees its functions and settings.
        # shellcheck source=/dev/null
        if [[ -x $file ]]; then "$file"; else . "$file"; fi
        ;;
      *.sql) say "$0: running $file"; run_sql -f "$file" ;;
      *.sql.gz) say "$0: running $file"; gunzip -c "$file" | run_sql ;;
      *.sql.xz) say "$0: running $file"; xzcat "$file" | run_sql ;;
      *.sql.zst) say "$0: running $file"; zstd -dc "$file" | run_sql ;;
      */\*) ;;
      *) say "$0: ignoring $file" ;;
    esac
  done
}

initialize() {
  require_password
  # Fail before the cluster exists: afterwards it would be taken for a finished one.
  ls /docker-entrypoint-initdb.d/ >/dev/null
  make_cluster
  allow_hosts "$@"
  export PGPASSWORD=${PGPASSWORD:-$POSTGRES_PASSWORD}
  start_locally "$@"
  make_database
  run_scripts
  PGUSER=${PGUSER:-postgres} pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
  say "PostgreSQL init process complete; ready for start up."
}

only_asks() {
  local argument
  for argument; do
    case $argument in -'?' | --help | --describe-config | -V | --version) return 0 ;; esac
  done
  return 1
}

main() {
  if [[ ${1:-} == -* ]]; then set -- postgres "$@"; fi
  if [[ ${1:-} == postgres ]] && ! only_asks "$@"; then
    settings
    folders
    if (($(id -u) == 0)); then exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"; fi
    if [[ -s $PGDATA/PG_VERSION ]]; then
      say "PostgreSQL Database directory appears to contain a database; Skipping initialization"
    else
      initialize "${@:2}"
    fi
  fi
  exec "$@"
}

main "$@"
