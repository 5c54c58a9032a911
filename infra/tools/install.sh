#!/bin/sh
# Installs the pinned checkers into ignored folders: golangci-lint into
# .local/bin, the SAM command line into .local/sam. A second run changes nothing.
#   install.sh lint | sam
set -eu
cd "$(dirname "$0")/../.."

# The version decides the linters' findings, so a new one is a change of its own.
lint_version=v2.15.0

fail() {
    echo "$*" >&2
    exit 1
}

# quietly COMMAND...: shows the command's output only when it fails.
quietly() {
    mkdir -p .local
    if ! "$@" >.local/checkers.log 2>&1; then
        tail -n 30 .local/checkers.log >&2
        fail "Installing failed; the lines above say why."
    fi
}

lint() {
    stamp=.local/bin/golangci-lint-$lint_version
    if [ ! -e "$stamp" ]; then
        echo "installing golangci-lint $lint_version (some minutes, once)"
        quietly env GOBIN="$PWD/.local/bin" GOOS= GOARCH= CGO_ENABLED=0 \
            go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$lint_version"
        : >"$stamp"
    fi
}

sam() {
    lock=infra/tools/sam-requirements.txt
    stamp=.local/sam/.installed
    sum=$(cksum <"$lock")
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
        echo "installing the SAM command line (about a minute, once)"
        rm -rf .local/sam
        quietly "${PYTHON:-python3}" -m venv .local/sam
        # The lock file lists everything, and pip cannot match hashes with extras: no
        # dependencies are looked up.
        quietly .local/sam/bin/python -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r "$lock"
        echo "$sum" >"$stamp"
    fi
}

case "${1:-}" in
lint | sam) "$1" ;;
*) fail "usage: install.sh lint | sam" ;;
esac
