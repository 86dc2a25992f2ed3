#!/bin/sh
# Makes the command sampledb-validate: one file that needs no packages and runs on Node 20 too. So does this script, since npm runs it wherever
# the package is made: after npm ci, for npm pack, in an install from git.
set -eu
cd "$(dirname "$0")/../../.."
# npm install --global of a git address hands --global on to the installation of what the package is made with, which then is not here.
[ -x node_modules/.bin/esbuild ] || npm ci --global=false --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error >&2
exec node_modules/.bin/esbuild functions/validate/offline/command.ts --outfile=dist/bin/sampledb-validate.mjs \
  --bundle --minify --platform=node --target=node20 --format=esm --log-level=warning \
  "--banner:js=import{createRequire as sampledbRequire}from'node:module';const require=sampledbRequire(import.meta.url);"
