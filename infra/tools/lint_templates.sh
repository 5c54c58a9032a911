#!/bin/sh
# Checks the templates in folders that CDK synthesized, with the cfn-lint that comes with
# the SAM command line.
#   lint_templates.sh FOLDER...
set -eu
folders=
for folder in "$@"; do folders="$folders $(cd "$folder" && pwd)"; done
cd "$(dirname "$0")/../.."
sh infra/tools/install.sh sam
# W3005: CDK names dependencies that references name too.
for folder in $folders; do
    .local/sam/bin/cfn-lint --ignore-checks W3005 --template "$folder"/*.template.json
done
