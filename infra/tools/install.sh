#!/bin/sh
# Installs the pinned checkers into ignored folders: golangci-lint, actionlint and, out of
# go.mod next to this file, those of make audit, sbom and secrets into .local/bin, the SAM
# command line into .local/sam, pip-audit into .local/audit, parliament into .local/iam,
# the generators of clients that are Python and Java into .local/generators. A second run
# changes nothing.
#   install.sh lint | sam | guards | audit | iam | generators
set -eu
cd "$(dirname "$0")/../.."

# The version decides the linters' findings, so a new one is a change of its own.
lint_version=v2.15.0
actionlint_version=v1.7.12

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

# go_part NAME PACKAGE VERSION
go_part() {
    stamp=.local/bin/$1-$3
    if [ ! -e "$stamp" ]; then
        echo "installing $1 $3 (some minutes, once)"
        quietly env GOBIN="$PWD/.local/bin" GOOS= GOARCH= CGO_ENABLED=0 go install "$2@$3"
        : >"$stamp"
    fi
}

lint() {
    go_part golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint $lint_version
    go_part actionlint github.com/rhysd/actionlint/cmd/actionlint $actionlint_version
}

guards() {
    stamp=.local/bin/.guards
    sum=$(cat infra/tools/go.mod infra/tools/go.sum | cksum)
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
        echo "installing govulncheck, gitleaks, go-licenses and cyclonedx-gomod (some minutes, once)"
        mkdir -p .local/bin
        quietly env GOOS= GOARCH= CGO_ENABLED=0 go -C infra/tools build -trimpath -o "$PWD/.local/bin/" tool
        echo "$sum" >"$stamp"
    fi
}

# python_part FOLDER LOCK WHAT: a virtual environment with just what the lock file lists.
python_part() {
    stamp=$1/.installed
    sum=$(cksum <"$2")
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
        echo "installing $3 (about a minute, once)"
        rm -rf "$1"
        quietly "${PYTHON:-python3}" -m venv "$1"
        # The lock file lists everything, and pip cannot match hashes with extras: no
        # dependencies are looked up.
        quietly "$1/bin/python" -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r "$2"
        echo "$sum" >"$stamp"
    fi
}

sam() { python_part .local/sam infra/tools/sam-requirements.txt "the SAM command line"; }

aws() { python_part .local/aws infra/tools/aws-requirements.txt "the AWS command line"; }

generators() { python_part .local/generators infra/generators/requirements.txt "the generators of clients"; }

iam() { python_part .local/iam infra/tools/iam-requirements.txt parliament; }

audit() {
    guards
    python_part .local/audit infra/tools/audit-requirements.txt pip-audit
}

case "${1:-}" in
lint | sam | guards | audit | aws | iam | generators) "$1" ;;
*) fail "usage: install.sh lint | sam | guards | audit | aws | iam | generators" ;;
esac
