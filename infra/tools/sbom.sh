#!/bin/sh
# Writes what the service ships into .build/sbom as CycloneDX: the modules linked into each
# function, and the packages of the page and of the TypeScript client. Fails on a part whose
# licence is not in `allowed`.
set -eu
cd "$(dirname "$0")/../.."
sh infra/tools/install.sh guards

# All of these allow use and change without publishing our own code; OFL-1.1 is that of the page's font.
allowed=0BSD,Apache-2.0,BSD-2-Clause,BSD-3-Clause,ISC,MIT,MIT-0,OFL-1.1,Unlicense,CC0-1.0

rm -rf .build/sbom
mkdir -p .build/sbom
for binary in .build/functions/*/bootstrap; do
    name=$(basename "$(dirname "$binary")")
    # It warns that a build without a commit stamp has no version.
    .local/bin/cyclonedx-gomod bin -json -std -noserial -notimestamp -version v0.0.0 \
        -output ".build/sbom/function-$name.cdx.json" "$binary" 2>.build/sbom.log || { cat .build/sbom.log >&2; exit 1; }
done
# node_part FOLDER NAME
node_part() {
    (cd "$1" && npm sbom --omit dev --package-lock-only --sbom-format cyclonedx --loglevel error) >".build/sbom/$2.cdx.json"
}
node_part pkg/web/page/web page
node_part pkg/client/typescript typescript

# Modules to leave out: our own; treeout v0.1.4, whose repository got MIT's licence right after
# that version (docs/develop.md).
# It takes all packages for Go's own where it does not know GOROOT, as a trimmed build does not,
# and then finds nothing: so it must refuse what is here when all but one licence is not allowed.
# licences ALLOWED
licences() {
    GOROOT=$(go env GOROOT) GOOS=linux GOARCH=arm64 CGO_ENABLED=0 GOFLAGS=-tags=lambda.norpc .local/bin/go-licenses check \
        ./functions/... ./pkg/client/tokenlaunch --allowed_licenses="$1" --ignore="$(go list -m)" \
        --ignore=github.com/gagliardetto/treeout 2>.build/licences.log
}
if licences 0BSD; then
    echo "go-licenses checks nothing: it allows everything" >&2
    exit 1
fi
licences "$allowed" || {
    grep -v 'non-Go code\|\.s$' .build/licences.log >&2
    exit 1
}
ALLOWED="$allowed" node -e '
    const allowed = process.env.ALLOWED.split(",");
    for (const part of ["page", "typescript"]) {
        const { components } = JSON.parse(require("fs").readFileSync(`.build/sbom/${part}.cdx.json`, "utf8"));
        const bad = components.filter(({ licenses }) => !licenses?.length || !licenses.every((l) => allowed.includes(l.license?.id)));
        for (const { name, version, licenses } of bad) console.error(`${name}@${version}: its licence is not allowed: ${JSON.stringify(licenses)}`);
        if (bad.length > 0 || components.length === 0) process.exitCode = 1;
    }'
echo "$(ls .build/sbom | wc -l) bills of materials in .build/sbom, all parts under allowed licences"
