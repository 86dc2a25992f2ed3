#!/bin/sh
# Installs the packages when they are missing, then runs a TypeScript file on the Node that package.json pins.
set -eu
cd "$(dirname "$0")/.."
# Others than root read what is made here: databases in images, containers.
umask 022
# A stale or half-finished install has no stamp that is newer than the lock file.
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  command -v npm >/dev/null 2>&1 || { echo "npm is not installed: install Node.js with npm, then run this again." >&2; exit 1; }
  echo "Installing the packages (npm ci) ..." >&2
  npm ci --no-fund --no-audit --loglevel=error >&2
  touch node_modules/.package-lock.json
fi
exec node_modules/.bin/node "$@"
