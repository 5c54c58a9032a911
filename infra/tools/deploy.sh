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

# The service first: the replica of the wallets' key, in another Region, is told which key
# it copies, and CloudFormation refers to nothing across Regions.
service=$(cdk ls --app "$app" | grep -v -- '-replica$')
cdk deploy --require-approval "${APPROVAL:-broadening}" "$service" --exclusively --app "$app" --outputs-file "$app.outputs.json"
if [ -f "$app/$service-replica.template.json" ]; then
    key=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1]))[process.argv[2]].WalletKeyArn' "$app.outputs.json" "$service")
    cdk deploy --require-approval "${APPROVAL:-broadening}" "$service-replica" --exclusively --app "$app" --parameters "$service-replica:PrimaryKeyArn=$key" \
        --outputs-file "$app.replica.outputs.json"
fi
