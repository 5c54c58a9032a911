#!/bin/sh
# Makes the template of a stage, checks it, shows what it would change, and deploys it.
#   STAGE=prod CONTEXT="-c network=mainnet -c ..." [DRY_RUN=1] deploy.sh
# A dry run ends before the deployment and needs no account: without one it says that
# there is no difference to show.
set -eu
cd "$(dirname "$0")/.."

stage=${STAGE:?name the stage: STAGE=dev, staging, prod or a name of yours}
app=../.build/cdk.out/$stage
export CDK_DISABLE_CLI_TELEMETRY=true JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=true
cdk() { local/node_modules/.bin/cdk "$@" --no-notices; }

rm -rf "$app"
# CONTEXT is a list of options, to be split at its spaces.
# shellcheck disable=SC2086
cdk synth --quiet --app ../.build/cdk-app --output "$app" -c stage="$stage" ${CONTEXT:-}
sh tools/lint_templates.sh "$app"
echo "the template of the stage $stage is in .build/cdk.out/$stage"

if ! cdk diff --app "$app"; then
    if [ -z "${DRY_RUN:-}" ]; then
        echo "No account could be asked what is deployed: set credentials and AWS_REGION." >&2
        exit 1
    fi
    echo "No account could be asked what is deployed, so there is no difference to show."
fi
if [ -n "${DRY_RUN:-}" ]; then
    echo "DRY_RUN: nothing was deployed."
    exit 0
fi

# CloudFormation refers to nothing across Regions, so each stack is told what it needs of the
# one before: the edge first, whose web ACL stands before the service; then the service; then
# the replica of the wallets' key.
outputs=../.build/cdk.out/$stage.outputs.json
output() { node -p 'JSON.parse(fs.readFileSync(process.argv[1]))[process.argv[2]][process.argv[3]]' "$1" "$2" "$3"; }
service=$(cdk ls --app "$app" | grep -v -e '-replica$' -e '-edge$')
set --
if [ -f "$app/$service-edge.template.json" ]; then
    edge=../.build/cdk.out/$stage.edge.outputs.json
    cdk deploy "$service-edge" --exclusively --app "$app" --outputs-file "$edge"
    set -- --parameters "$service:WebAclArn=$(output "$edge" "$service-edge" WebAclArn)"
fi
cdk deploy "$service" --exclusively --app "$app" --outputs-file "$outputs" "$@"
if [ -f "$app/$service-replica.template.json" ]; then
    key=$(output "$outputs" "$service" WalletKeyArn)
    cdk deploy "$service-replica" --exclusively --app "$app" --parameters "$service-replica:PrimaryKeyArn=$key" \
        --outputs-file "../.build/cdk.out/$stage.replica.outputs.json"
fi
