#!/bin/sh
# Changes the path of the module wherever it is written: go.mod, imports, documents.
#   MODULE=github.com/you/tokenlaunch module.sh
set -eu
cd "$(dirname "$0")/../.."
from=$(go list -m)
go mod edit -module "${MODULE:?name the path: MODULE=github.com/you/tokenlaunch}" # refuses what is no path
# Byte by byte: git takes generated pages for binaries.
git grep -lzF "$from" | FROM=$from TO=$MODULE xargs -0 node -e '
    const fs = require("fs"), { FROM, TO } = process.env;
    for (const file of process.argv.slice(1)) fs.writeFileSync(file, fs.readFileSync(file, "latin1").replaceAll(FROM, TO), "latin1");'
git ls-files -z '*.go' | xargs -0 gofmt -w # imports are sorted
echo "$from is now $MODULE"
