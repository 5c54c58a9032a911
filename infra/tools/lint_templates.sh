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
for folder in $folders; do
    for template in "$folder"/*.template.json; do
        # The edge is in one Region. W3005: CDK names dependencies that references name too.
        case $template in
        *-edge.template.json) .local/sam/bin/cfn-lint --ignore-checks W3005 --template "$template" --regions us-east-1 ;;
        *) .local/sam/bin/cfn-lint --ignore-checks W3005 --template "$template" --regions $regions ;;
        esac
    done
done
echo "templates: checked in$(printf ' %s' $regions)"
