#!/bin/sh
# Makes the npm package of pkg/client/typescript and installs it in a folder, as a reader
# does who begins with an empty one. What it depends on comes out of the package's own
# node_modules, at the versions of its lock file, so that no registry is asked.
#   pack.sh FOLDER
set -eu
folder=$1
cd "$(dirname "$0")/../.."
package=$PWD/pkg/client/typescript
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Packed from a copy: its build writes dist, and others may pack at the same time.
copy=$work/pkg/client/typescript
mkdir -p "$copy" "$work/pkg/api/endpoint/docs"
cp -r pkg/api/endpoint/docs/dist "$work/pkg/api/endpoint/docs"
cp -r "$package/src" "$package/package.json" "$package/README.md" "$package"/tsconfig*.json "$copy"
ln -s "$package/node_modules" "$copy/node_modules"
(cd "$copy" && npm pack --silent --pack-destination "$work" >/dev/null)

mkdir -p "$folder"
cd "$folder"
[ -e package.json ] || echo '{ "private": true, "type": "module" }' >package.json
parts=$(node -p '
    const { dependencies } = require(process.argv[1] + "/package.json");
    [...Object.keys(dependencies), "openapi-typescript-helpers"].map((name) => process.argv[1] + "/node_modules/" + name).join(" ")' "$package")
# shellcheck disable=SC2086 # a path to a word
npm install --silent --offline --no-audit --no-fund --install-links "$work"/tokenlaunch-*.tgz $parts
