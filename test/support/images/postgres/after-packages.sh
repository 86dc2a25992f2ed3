#!/bin/sh
# Runs in mmdebstrap after all packages are installed: $1 is the root folder, PG_MAJOR the major version.
set -eu
here=$(dirname "$(realpath "$0")")
install -m 0755 "$here/docker-entrypoint.sh" "$1/usr/local/bin/docker-entrypoint.sh"
# Inside the root: its links (/var/run -> /run) lead out of it when they are followed from outside.
exec chroot "$1" sh -eu <<'INSIDE'
localedef -i en_US -c -f UTF-8 -A /usr/share/locale/locale.alias en_US.UTF-8

# Debian's wrappers (in Perl), the snakeoil certificate and the JIT compiler are no part of a database in a test, and are
# two thirds of the image. Without its library PostgreSQL simply does not compile queries.
for name in 'perl' 'perl-modules-*' 'libperl5*' 'libllvm*' 'libz3-*' 'ssl-cert' 'openssl' 'postgresql-common*' \
  'postgresql-client-common' 'ucf' 'sensible-utils' 'lsb-release' 'adduser'; do
  for package in $(dpkg-query -W -f '${Package}\n' "$name" 2>/dev/null || true); do
    dpkg --purge --force-depends "$package" >/dev/null 2>&1
  done
done
rm -rf "/usr/lib/postgresql/$PG_MAJOR"/lib/llvmjit* "/usr/lib/postgresql/$PG_MAJOR/lib/bitcode" /etc/ssl/private/* \
  /usr/share/i18n /usr/share/postgresql-common /usr/share/perl* /etc/postgresql /etc/postgresql-common

# As in the official image: reachable from other pods unless the user's configuration says otherwise.
sample=/usr/share/postgresql/$PG_MAJOR/postgresql.conf.sample
sed -i "s/^#\?listen_addresses = .*/listen_addresses = '*'/" "$sample"
grep -q "^listen_addresses = '\*'" "$sample"

rm -rf /var/lib/postgresql /run/postgresql
install -d -o 999 -g 999 -m 0755 /var/lib/postgresql
# Open, so that the image also runs as a user of the pod's choice.
install -d -o 999 -g 999 -m 1777 /var/lib/postgresql/data
install -d -o 999 -g 999 -m 3777 /run/postgresql
install -d /docker-entrypoint-initdb.d
rm -rf /var/cache/debconf/* /var/cache/ldconfig/* /var/log/* /var/lib/dpkg/*-old
INSIDE
