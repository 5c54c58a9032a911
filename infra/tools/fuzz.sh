#!/bin/sh
# Runs every fuzz target of both modules for a while, one after the other, and fails when one
# finds something. What it finds is an input under testdata/fuzz of the package: fix the code,
# then commit the input, which from then on runs with the ordinary tests.
#   EACH=3s ONLY=pkg/solana fuzz.sh
set -eu
cd "$(dirname "$0")/../.."
targets=$(git grep --untracked -E '^func Fuzz' -- '*_test.go' | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\1 \2|' | grep -E "${ONLY:-}" | sort)
out=.build/fuzz.log
mkdir -p .build
findings=0
while read -r folder name; do
    # 100 executions for making an input smaller: short runs would else do little more.
    if ! go test -C "$folder" -short -run '^$' -fuzz "^$name\$" -fuzztime "${EACH:-3s}" -fuzzminimizetime 100x . >"$out" 2>&1 </dev/null; then
        # The fuzzer stops its workers by a context, whose error it at times takes for theirs
        # (golang/go issue 75804).
        if grep -q 'Failing input' "$out" || ! grep -A 1 -e '^--- FAIL' "$out" | grep -qx ' *context deadline exceeded'; then
            findings=$((findings + 1))
            cat "$out"
            echo "again: go test -C $folder -run '^$name\$'"
        fi
    fi
    printf '  %-70s %s\n' "$folder.$name" "$(grep -oE 'execs: [0-9]+|new interesting: [0-9]+' "$out" | tail -n 2 | tr '\n' ' ')"
done <<EOF
$targets
EOF
echo "$(echo "$targets" | wc -l) fuzz targets, ${EACH:-3s} each: $findings found something"
[ "$findings" = 0 ]
