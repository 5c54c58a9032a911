#!/bin/sh
# Looks for secrets in the history and in the files of the work tree, by gitleaks with
# gitleaks.toml. A secret that it finds is revoked first, then removed.
#   secrets.sh [FOLDER]   a folder alone, which need not be a repository
set -eu
cd "$(dirname "$0")/../.."
sh infra/tools/install.sh guards
scan() {
    # Its log says only how long it took; findings are on the standard output.
    .local/bin/gitleaks "$@" --config infra/tools/gitleaks.toml --no-banner --redact --verbose --log-level error
}
if [ $# -gt 0 ]; then
    scan dir "$1"
    exit
fi
scan git .
scan dir .
echo "no secrets in the work tree and in $(git rev-list --all --count) commits"
