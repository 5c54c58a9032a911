#!/bin/sh
# Checks the templates in folders that CDK synthesized, with the cfn-lint that comes with
# the SAM command line.
#   [REGIONS=all] lint_templates.sh FOLDER...
# By default in us-east-1, in eu-west-1 and in the Region that has the fewest types of
# resources; with REGIONS=all in every one in which the service is offered, which takes three
# times as long.
set -eu
folders=
for folder in "$@"; do folders="$folders $(cd "$folder" && pwd)"; done
cd "$(dirname "$0")/../.."
sh infra/tools/install.sh sam
regions="us-east-1 eu-west-1 ap-southeast-6"
[ "${REGIONS:-}" != all ] || regions=$(.local/sam/bin/python infra/tools/regions.py --offered)
# One process for many templates, because the start of cfn-lint takes two seconds.
# W3005: CDK names dependencies that references name too.
check() {
    regions_of=$1
    shift
    # shellcheck disable=SC2086
    [ $# = 0 ] || .local/sam/bin/cfn-lint --ignore-checks W3005 --regions $regions_of --template "$@"
}
templates() { for folder in $folders; do ls "$folder"/*.template.json; done; }
templates >/dev/null # each folder has some
# No path has a space. The edge is in one Region.
# shellcheck disable=SC2046
{
    check "$regions" $(templates | grep -v -e '-edge\.template\.json$')
    check us-east-1 $(templates | grep -e '-edge\.template\.json$')
}
echo "templates: checked in$(printf ' %s' $regions)"
