#!/bin/sh
# Runs in mmdebstrap after all packages are installed: $1 is the root folder.
set -eu
root=$1
# The official image's user.
echo 'node:x:1000:' >>"$root/etc/group"
echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$root/etc/passwd"
echo 'node:!::0:99999:7:::' >>"$root/etc/shadow"
install -d -o 1000 -g 1000 "$root/home/node"
rm -rf "$root"/var/cache/debconf/* "$root"/var/cache/ldconfig/* "$root"/var/log/* "$root"/var/lib/dpkg/*-old
