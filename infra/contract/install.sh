#!/bin/sh
# Installs the pinned Schemathesis into .local/schemathesis, an ignored folder. A
# second run changes nothing.
set -eu
cd "$(dirname "$0")/../.."

PYTHON=${PYTHON:-python3}
lock=infra/contract/requirements.txt
folder=.local/schemathesis
sum="$(cksum <"$lock") $("$PYTHON" --version 2>&1)"

if [ -f "$folder/.installed" ] && [ "$(cat "$folder/.installed")" = "$sum" ]; then
    exit 0
fi
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    { echo "make contract needs Python 3.11 or later (the rest takes 3.10): set PYTHON to one." >&2; exit 1; }
echo "installing $folder"
rm -rf "$folder"
"$PYTHON" -m venv "$folder"
if ! "$folder/bin/python" -m pip install --disable-pip-version-check --no-input --require-hashes --only-binary :all: \
    -r "$lock" >.local/schemathesis.log 2>&1; then
    tail -n 30 .local/schemathesis.log >&2
    echo "Installing $folder failed; the lines above say why." >&2
    exit 1
fi
echo "$sum" >"$folder/.installed"
