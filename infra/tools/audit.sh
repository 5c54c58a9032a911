#!/bin/sh
# Asks for known faults of all dependencies: govulncheck for the Go modules, npm audit and
# pip-audit for each lock file. Fails on a fault that is not in the file `accepted`, or whose
# date there is over. An audit whose source is away says "not checked"; that fails only with
# AUDIT=strict. VULNDB=file:///folder is a copy of Go's database.
set -eu
cd "$(dirname "$0")/../.."
sh infra/tools/install.sh audit
root=$PWD today=$(date -u +%F) found=0 away=0
out=.build/audit.log
mkdir -p .build

# audit WHAT COMMAND...: a fault is told by its id in what the command prints, for the
# commands fail alike when they find one and when they cannot look.
audit() {
    what=$1 failed=
    shift
    "$@" >"$out" 2>&1 || failed=yes
    ids=$(grep -oE '(GO|CVE|PYSEC)-[0-9]{4}-[0-9]+|GHSA(-[0-9a-z]{4}){3}' "$out" | sort -u || true)
    if [ -n "$failed" ] && [ -z "$ids" ]; then
        away=$((away + 1))
        echo "not checked: $what: $(grep -iE 'error|cannot|could not|no such' "$out" | grep -v 'Unknown user config' | head -n 1 | cut -c 1-200)"
        return
    fi
    open=
    for id in $ids; do
        last=$(awk -v id="$id" '$1 == id { print $2 }' infra/tools/accepted)
        # Dates of this form compare as text.
        expr "x$last" '>=' "x$today" >/dev/null || open="$open $id"
    done
    if [ -n "$open" ]; then
        found=$((found + 1))
        cat "$out"
        echo "FOUND: $what:$open"
    else
        echo "checked: $what: ${ids:+accepted: }${ids:-nothing found}"
    fi
}

for file in $(git ls-files -co --exclude-standard); do
    folder=$root/$(dirname "$file")
    case $file in
    infra/tools/go.mod) ;; # the checkers themselves
    go.mod | */go.mod) audit "$file" .local/bin/govulncheck -C "$folder" -db "${VULNDB:-https://vuln.go.dev}" -scan package ./... ;;
    *package-lock.json) audit "$file" npm --prefix "$folder" audit --package-lock-only ;;
    # Strict, it ends at the first package that it cannot look up.
    *requirements.txt) audit "$file" .local/audit/bin/pip-audit --strict -r "$file" --disable-pip --no-deps --progress-spinner off --timeout 10 ;;
    esac
done
echo "$found with faults to fix, $away not checked"
[ "$found" = 0 ] && { [ "${AUDIT:-}" != strict ] || [ "$away" = 0 ]; }
