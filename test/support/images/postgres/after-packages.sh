#!/bin/sh
# Runs in mmdebstrap after all packages are installed: $1 is the root folder, PG_MAJOR the major version.
set -eu
root=$1
here=$(dirname "$(realpath "$0")")

chroot "$root" localedef -i en_US -c -f UTF-8 -A /usr/share/locale/locale.alias en_US.UTF-8

# Debian's wrappers (in Perl), the snakeoil certificate and the JIT compiler are no part of a database in a test, and are
# two thirds of the image. Without its library PostgreSQL simply does not compile queries.
for name in 'perl' 'perl-modules-*' 'libperl5*' 'libllvm*' 'libz3-*' 'ssl-cert' 'openssl' 'postgresql-common*' \
  'postgresql-client-common' 'locales' 'libc-l10n' 'ucf' 'sensible-utils' 'lsb-release' 'adduser'; do
  # shellcheck disable=SC2046 # one word a package
  set -- $(chroot "$root" dpkg-query -W -f '${Package}\n' "$name" 2>/dev/null || true)
  [ $# = 0 ] || chroot "$root" dpkg --purge --force-depends "$@" >/dev/null 2>&1
done
lib=$root/usr/lib/postgresql/$PG_MAJOR
rm -rf "$lib"/lib/llvmjit* "$lib"/lib/bitcode "$root"/etc/ssl/private/* "$root"/usr/share/i18n \
  "$root"/etc/postgresql "$root"/etc/postgresql-common "$root"/usr/share/postgresql-common "$root"/usr/share/perl*

# As in the official image: reachable from other pods unless the user's configuration says otherwise.
sed -i "s/^#\?listen_addresses = .*/listen_addresses = '*'/" "$root/usr/share/postgresql/$PG_MAJOR/postgresql.conf.sample"
grep -q "^listen_addresses = '\*'" "$root/usr/share/postgresql/$PG_MAJOR/postgresql.conf.sample"

rm -rf "$root/var/lib/postgresql" "$root/var/run/postgresql"
install -d -o 999 -g 999 -m 0755 "$root/var/lib/postgresql"
# Open, so that the image also runs as a user of the pod's choice.
install -d -o 999 -g 999 -m 1777 "$root/var/lib/postgresql/data"
install -d -o 999 -g 999 -m 3777 "$root/var/run/postgresql"
install -d "$root/docker-entrypoint-initdb.d"
install -m 0755 "$here/docker-entrypoint.sh" "$root/usr/local/bin/docker-entrypoint.sh"
rm -rf "$root"/var/cache/debconf/* "$root"/var/cache/ldconfig/* "$root"/var/log/* "$root"/var/lib/dpkg/*-old
