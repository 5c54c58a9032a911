#!/bin/sh
# Says where Chromium is, for the tests of the page: $CHROMIUM, or one on the PATH, or the
# one that Playwright has downloaded.
#   browser.sh            its path; status 1, and why, when there is none
#   browser.sh install    installs one when there is none, as root on Debian by apt, for
#                         others by Playwright; the other remedy is printed
set -eu
cd "$(dirname "$0")/../browser"

find_one() {
    if [ -n "${CHROMIUM:-}" ]; then
        [ -x "$CHROMIUM" ] || { echo "CHROMIUM is $CHROMIUM, which is no program." >&2; exit 1; }
        echo "$CHROMIUM"
        return
    fi
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && return
    done
    [ -d node_modules/playwright-core ] || return
    node -e '
        const path = require("playwright-core").chromium.executablePath();
        if (!require("fs").existsSync(path)) process.exit(1);
        console.log(path);' 2>/dev/null
}

missing="Chromium is not installed: install your system's package, or say cd infra/browser && npx playwright install chromium, or set CHROMIUM to where it is."

case "${1:-}" in
"") find_one || { echo "$missing" >&2; exit 1; } ;;
install)
    if ! find_one >/dev/null; then
        log=../../.local/browser.log
        mkdir -p ../../.local
        echo "installing Chromium (a minute or two, once)"
        # Debian keeps one version of it and no older ones: none can be asked for by number.
        if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; then
            { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >"$log" 2>&1 || tail -n 5 "$log" >&2
        elif [ -d node_modules/playwright-core ]; then
            npx --no-install playwright-core install chromium >"$log" 2>&1 || tail -n 5 "$log" >&2
        fi
    fi
    found=$(find_one) || { echo "$missing" >&2; exit 1; }
    "$found" --version 2>/dev/null
    ;;
*)
    echo "usage: browser.sh [install]" >&2
    exit 1
    ;;
esac
