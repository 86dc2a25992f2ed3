#!/bin/sh
# Runs in mmdebstrap before the PostgreSQL packages are installed: $1 is the root folder.
set -eu
root=$1
# The packages would give postgres the next free system id; the official image has 999, and volumes depend on it.
echo 'postgres:x:999:' >>"$root/etc/group"
echo 'postgres:x:999:999::/var/lib/postgresql:/bin/bash' >>"$root/etc/passwd"
echo 'postgres:!::0:99999:7:::' >>"$root/etc/shadow"
# Nor should they make a database cluster of their own.
mkdir -p "$root/etc/postgresql-common"
echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.conf"
