#!/bin/sh
# Runs in mmdebstrap after all packages are installed: $1 is the root folder.
set -eu
# Inside the root: its links lead out of it when they are followed from outside.
exec chroot "$1" sh -eu <<'INSIDE'
# The official image's user.
echo 'node:x:1000:' >>/etc/group
echo 'node:x:1000:1000::/home/node:/bin/bash' >>/etc/passwd
echo 'node:!::0:99999:7:::' >>/etc/shadow
install -d -o 1000 -g 1000 /home/node
rm -rf /var/cache/debconf/* /var/cache/ldconfig/* /var/log/* /var/lib/dpkg/*-old
INSIDE
