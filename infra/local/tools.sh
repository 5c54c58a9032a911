#!/bin/sh
# Checks the project's prerequisites on this machine and installs the pinned parts
# into ignored directories: MiniStack into .local/venv, Surfpool and the CDK command
# line into infra/local/node_modules. A second run changes nothing.
#   tools.sh                 check and install
#   tools.sh check           check only
#   tools.sh infra/peer ...  check and install the Node parts of these directories
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "$*" >&2
    exit 1
}

# at_least HAVE WANT: compares versions of the form 1.26.3 by their first two parts.
at_least() {
    awk -v have="$1" -v want="$2" 'BEGIN {
        split(have, h, "."); split(want, w, ".")
        exit !(h[1] + 0 > w[1] + 0 || (h[1] + 0 == w[1] + 0 && h[2] + 0 >= w[2] + 0))
    }'
}

# of COMMAND...: prints the first version number in the command's output.
of() {
    "$@" 2>/dev/null | sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9]*\(\.[0-9]*\)*\).*/\1/p' | head -n 1
}

check() {
    command -v go >/dev/null || fail "Go is not installed: Go 1.26 or later is needed."
    go=$(GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')
    at_least "$go" 1.26 || fail "Go $go is too old: Go 1.26 or later is needed."

    command -v node >/dev/null || fail "Node is not installed: Node 22 or later is needed."
    command -v npm >/dev/null || fail "npm is not installed: it comes with Node 22 or later."
    node=$(of node --version)
    at_least "$node" 20.0 || fail "Node $node is too old: Node 22 or later is needed."
    at_least "$node" 22.0 || [ -n "${CI:-}" ] || [ "${1:-check}" != check ] || echo "Node $node works, but only Node 22 or later is supported." >&2

    command -v "$PYTHON" >/dev/null || fail "Python is not installed: Python 3.10 or later is needed."
    python=$(of "$PYTHON" --version)
    at_least "$python" 3.10 || fail "Python $python is too old: Python 3.10 or later is needed."

    # Work without a chain, such as the page and the short tests, is possible elsewhere, too.
    case "${1:-}/$(uname -s)/$(uname -m)" in
    */Linux/x86_64 | */Darwin/x86_64 | */Darwin/arm64) ;;
    check/* | /*) fail "The local Solana chain (Surfpool) has no build for $(uname -s) $(uname -m): use Linux x86_64 or macOS." ;;
    esac
}

# unless_done FOLDER LOCK COMMAND...: runs the command unless the command already ran for
# this lock file and these programs, and shows the output only after a failure.
unless_done() {
    folder=$1 lock=$2
    shift 2
    sum="$(cksum <"$lock") node $node python $python"
    stamp=$folder/.installed
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then
        return
    fi
    echo "installing $folder"
    mkdir -p .local
    if ! "$@" >.local/install.log 2>&1; then
        tail -n 30 .local/install.log >&2
        fail "Installing $folder failed; the lines above say why."
    fi
    echo "$sum" >"$stamp"
}

python_parts() {
    rm -rf .local/venv
    "$PYTHON" -m venv .local/venv &&
        .local/venv/bin/python -m pip install --disable-pip-version-check --no-input --require-hashes --only-binary :all: \
            -r infra/local/requirements.txt
}

# Packages must not run install scripts, because credentials may be on this machine.
node_parts() {
    (cd "$1" && npm ci --no-fund --no-audit --ignore-scripts)
}

PYTHON=${PYTHON:-python3}
check "$@"
case "${1:-}" in
check) ;;
"")
    unless_done .local/venv infra/local/requirements.txt python_parts
    unless_done infra/local/node_modules infra/local/package-lock.json node_parts infra/local
    [ -d infra/local/node_modules/@solana ] || fail "The local Solana chain (Surfpool) has no build for this system: it needs Linux with glibc, or macOS."
    ;;
*)
    for folder in "$@"; do
        unless_done "$folder/node_modules" "$folder/package-lock.json" node_parts "$folder"
    done
    ;;
esac
