#!/bin/sh
# Shows what a release would change, and deploys it.
#   RELEASE=.releases/prod-0123456789ab [DRY_RUN=1] deploy.sh
# A dry run ends before the deployment and needs no account: without one it says that
# there is no difference to show.
set -eu
app=$(cd "${RELEASE:?name the folder of a release: RELEASE=.releases/prod-0123456789ab}" && pwd)
cd "$(dirname "$0")/.."
export CDK_DISABLE_CLI_TELEMETRY=true
cdk() { local/node_modules/.bin/cdk "$@" --no-notices; }

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
output() { node -p 'JSON.parse(fs.readFileSync(process.argv[1]))[process.argv[2]][process.argv[3]]' "$1" "$2" "$3"; }
service=$(cdk ls --app "$app" | grep -v -e '-replica$' -e '-edge$')
set --
if [ -f "$app/$service-edge.template.json" ]; then
    edge=$app.edge.outputs.json
    cdk deploy --require-approval "${APPROVAL:-broadening}" "$service-edge" --exclusively --app "$app" --outputs-file "$edge"
    set -- --parameters "$service:WebAclArn=$(output "$edge" "$service-edge" WebAclArn)"
fi
cdk deploy --require-approval "${APPROVAL:-broadening}" "$service" --exclusively --app "$app" --outputs-file "$app.outputs.json" "$@"
if [ -f "$app/$service-replica.template.json" ]; then
    key=$(output "$app.outputs.json" "$service" WalletKeyArn)
    cdk deploy --require-approval "${APPROVAL:-broadening}" "$service-replica" --exclusively --app "$app" --parameters "$service-replica:PrimaryKeyArn=$key" \
        --outputs-file "$app.replica.outputs.json"
fi
