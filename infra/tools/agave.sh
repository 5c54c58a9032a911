#!/bin/sh
# Runs tests on a validator: agave.sh MODE 'FOLDER=PATTERN ...', where MODE is agave or
# agave-alpenglow, and a folder below infra is of that module. A package at a time, for a validator
# takes two cores. Of a package that fails everything is shown; of another its results, and why
# tests were skipped.
set -u
mode=$1
log=.build/test-$mode.log
: >"$log"
failed=0
for part in $2; do
    folder=${part%%=*} pattern=${part#*=} module=.
    case $folder in infra/*) module=infra folder=./${folder#infra/} ;; esac
    one=.build/test-$mode.part
    (cd $module && CHAIN=$mode go test -vet=off -count=1 -timeout 40m -v -run "$pattern" "$folder") >"$one" 2>&1 || {
        failed=1
        grep -v '^=== ' "$one"
    }
    cat "$one" >>"$log"
    rm -f "$one"
done
grep -E '^(---|ok|FAIL)' "$log" | sed "s/^/$mode: /"
grep -E '^ *--- SKIP' -B 1 "$log" | sed -n 's/^.*\.go:[0-9]*: //p' | sort | uniq -c | sed "s/^ *\([0-9]*\) /test-agave: $mode: \1 skipped: /"
exit $failed
