#!/bin/sh
# Fails where the subject of a commit is not a line of the release notes: Fix, Add, Change or Remove,
# then the component and the effect. A commit that closes a security hole has a trailer "Security: effect".
set -eu
since=2026-11-30T00:00:00Z
bad=$(git log --no-merges --since="$since" --format='%h %s' | grep -vE '^[0-9a-f]+ (Fix|Add|Change|Remove) [^ ]' || true)
[ -z "$bad" ] || { echo "Subjects must begin with Fix, Add, Change or Remove:" && echo "$bad" && exit 1; }
