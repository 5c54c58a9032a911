#!/bin/sh
# Makes a release of a stage, the folder .releases/STAGE-COMMIT with its templates and the
# functions' zips, checks it, and prints its path as the last line. A second one of the same
# commit, with other settings, is STAGE-COMMIT-2: a rollback deploys the first one. It
# needs no credentials, and has none: what it runs of others' packages could read them.
#   STAGE=prod CONTEXT="-c network=mainnet -c ..." [RELEASES=folder] assemble.sh
set -eu
cd "$(dirname "$0")/.."
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
export CDK_DISABLE_CLI_TELEMETRY=true JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=true

# Such as 1.2.0, or 1.2.0-5-g0123456789ab for the fifth commit after it; none where there is no tag.
version=$(git describe --tags --abbrev=12 --match 'v[0-9]*.[0-9]*.[0-9]*' --dirty=-changed 2>/dev/null | sed 's/^v//')
stage=${STAGE:?name the stage: STAGE=dev, staging, prod or a name of yours}
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain)" ] || commit=$commit-changed
releases=${RELEASES:-$PWD/../.releases}
mkdir -p "$releases"
releases=$(cd "$releases" && pwd)
release=$stage-$commit
made=2
while [ -e "$releases/$release" ]; do
    release=$stage-$commit-$made
    made=$((made + 1))
done
# Only a release that passes the checks gets its name.
half=$(mktemp -d "$releases/half-made.XXXXXX")
trap 'rm -rf "$half"' EXIT
# CONTEXT is a list of options, to be split at its spaces.
# shellcheck disable=SC2086
local/node_modules/.bin/cdk synth --quiet --app ../.build/cdk-app --output "$half" --no-notices -c stage="$stage" -c release="$release" -c version="$version" ${CONTEXT:-}
sh tools/lint_templates.sh "$half" >&2
mv "$half" "$releases/$release"
echo "$releases/$release"
