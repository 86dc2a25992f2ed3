#!/bin/sh
# Makes a root folder ($1) look as in a pod, then runs the rest. VOLUMES is lines of "folder:mount point".
# To be started in mount, process and network namespaces of its own.
set -eu
root=$1
shift
ip link set lo up
# An address that no rule takes for local.
ip address add 192.0.2.1/32 dev lo
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
# Writable are an emptyDir at /tmp and one where the socket goes; the rest is read-only.
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
[ ! -d "$root/run/postgresql" ] || mount -t tmpfs -o mode=1777 tmpfs "$root/run/postgresql"
printf '%s\n' "$VOLUMES" | while IFS=: read -r folder point; do
  [ -z "$folder" ] || mount --bind "$folder" "$root$point"
done
mount -o remount,bind,ro "$root"
exec "$@"
