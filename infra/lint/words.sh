#!/bin/sh
# Fails where a tracked text has a word that docs/glossary.md avoids, and says file, line and
# what is better. words.txt has the words: a part is found within identifiers, too.
#   words.sh [another repository's folder]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
# Left out are the list itself, what programs write, and a promised code.
all=$(while IFS='|' read -r kind word better; do
    [ "$kind" = word ] && kind=-w || kind=
    hits=$(git grep -nIE $kind -e "$word" -- . ':!infra/lint/words.txt' ':!*.svg' ':!*lock.json' \
        ':!*requirements.txt' ':!pkg/proof/testdata/vectors/*.json') || [ $? = 1 ]
    printf '%s' "${hits:+$hits
}" | cut -c 1-160 | sed "s|\$|  <- better: $better|"
done <"$here/words.txt")
found=$(echo "$all" | grep -v nobody_to_pay || true)
[ -z "$found" ] || { echo "$found" && exit 1; }

# A test is named by its unit and the condition, without articles.
articles=$(git grep -nE '^func Test(A|An|The)[A-Z][a-z]' -- '*_test.go') || [ $? = 1 ]
[ -z "$articles" ] || { echo "Test names must not begin with an article:" && echo "$articles" && exit 1; }
