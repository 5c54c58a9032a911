#!/bin/sh
# Makes a release into .build/release/VERSION: the command for each platform and the TypeScript
# package, a bill of materials of each, the licences of what is in the command, notes out of the
# commits, and SHA256SUMS. It is made of
# the tag VERSION or, before there is one, of the commit that is checked out; never of what is
# changed in the work tree. The same commit, built by the same Go and Node, has the same bytes.
#   VERSION=v1.2.0 [PLATFORMS="linux/amd64 darwin/arm64"] release.sh
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "$*" >&2
    exit 1
}

printf %s "${VERSION:-}" | grep -Eq '^v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z][0-9A-Za-z.-]*)?$' ||
    fail "VERSION is \"${VERSION:-}\": it must be a version with a v, as in VERSION=v1.2.0"
commit=$(git rev-parse --verify --quiet "refs/tags/$VERSION^{commit}" || git rev-parse HEAD)
date=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd "$commit")
sh infra/tools/install.sh guards

mkdir -p .build/release
half=$(mktemp -d "$PWD/.build/release/half-made.XXXXXX")
trap 'rm -rf "$half"' EXIT
source=$half/source out=$half/out
mkdir "$source" "$out"
git archive "$commit" | tar -x -C "$source"

module=$(cd "$source" && go list -m)
major=${VERSION%%.*}
case $major:$module in
v[01]:* | "$major:"*"/$major") ;;
*) fail "VERSION is $VERSION: Go takes it only of a module whose path ends with /$major, and this one is $module" ;;
esac

stamp=$module/pkg/client/internal/build
for platform in ${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64}; do
    name=tokenlaunch-$VERSION-$(echo "$platform" | tr / -)
    (cd "$source" && CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} GOAMD64=v1 GOARM64=v8.0 \
        go build -trimpath -buildvcs=false -o "$out/$name" \
        -ldflags "-s -w -X $stamp.version=$VERSION -X $stamp.commit=$commit -X $stamp.date=$date" ./pkg/client/tokenlaunch)
    .local/bin/cyclonedx-gomod bin -json -std -noserial -notimestamp -version "$VERSION" \
        -output "$out/$name.cdx.json" "$out/$name" 2>"$half/log" || fail "$(cat "$half/log")"
    (cd "$source" && CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} go list -deps \
        -f '{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}' ./pkg/client/tokenlaunch) >>"$half/parts"
done

echo "go@$(go env GOVERSION) $(go env GOROOT)" >>"$half/parts"
sort -u "$half/parts" | while read -r part folder; do
    for file in "$folder"/LICEN[CS]E* "$folder"/COPYING* "$folder"/NOTICE*; do
        [ ! -f "$file" ] || { printf '== %s\n\n' "$part $(basename "$file")" && cat "$file" && echo; }
    done
done >"$out/licences.txt"

sh "$source/infra/local/tools.sh" pkg/client/typescript >&2
(cd "$source" && go generate ./pkg/api/endpoint/docs)
(
    cd "$source/pkg/client/typescript"
    npm version --no-git-tag-version --allow-same-version "${VERSION#v}" >/dev/null
    npm pack --silent --pack-destination "$out" >/dev/null
    # Without its time and its random number.
    npm sbom --omit dev --package-lock-only --sbom-format cyclonedx --loglevel error |
        node -e 'const { serialNumber, ...bill } = JSON.parse(require("fs").readFileSync(0)); delete bill.metadata.timestamp;
            console.log(JSON.stringify(bill, null, 2))' >"$out/tokenlaunch-${VERSION#v}.tgz.cdx.json"
)

before=$(git describe --tags --abbrev=0 --match 'v[0-9]*' --exclude "$VERSION" "$commit" 2>/dev/null || true)
# commits FORMAT OPTIONS... lists the commits of the release. section TITLE prints standard input below a title.
commits() {
    format=$1
    shift
    git log --no-merges --abbrev=12 --format="- $format (%h)" "$@" ${before:+"$before.."}"$commit"
}
section() {
    lines=$(cat)
    [ -z "$lines" ] || printf '\n## %s\n\n%s\n' "$1" "$lines"
}
{
    printf '# %s\n\n%s, commit %s%s\n' "$VERSION" "${date%T*}" "$commit" "${before:+, after $before}"
    commits '%(trailers:key=Security,valueonly,separator=%x3B )' --grep '^Security: ' | section Security
    for verb in Fix Add Change Remove; do
        commits %s | { grep "^- $verb " || true; } | section "$verb"
    done
    commits %s | { grep -vE '^- (Fix|Add|Change|Remove) ' || true; } | section Other
} >"$out/notes.md"

sum=$(command -v sha256sum || echo "shasum -a 256")
(cd "$out" && $sum ./* >SHA256SUMS)
rm -rf ".build/release/$VERSION"
mv "$out" ".build/release/$VERSION"
echo ".build/release/$VERSION"
