#!/bin/sh
# Shows what a release would change, and deploys it.
#   RELEASE=.releases/prod-0123456789ab [DRY_RUN=1] deploy.sh
# A dry run ends before the deployment and needs no account: without one it prints that
# there is no difference to show. preflight.mjs lists what the account lacks, before anything is
# made: a creation that fails in its middle takes half an hour, and leaves what no caller may delete.
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
else
    node tools/preflight.mjs "$app"
fi
if [ -n "${DRY_RUN:-}" ]; then
    echo "DRY_RUN: nothing was deployed."
    exit 0
fi

# CloudFormation refers to nothing across Regions, so each stack is told what it needs of the
# one before: the edge first, whose web ACL protects the service; then the copies, to
# which the service's buckets replicate; then the service; then its alarms, which are told its
# names; then the replica of the wallets' key.
deploy() { cdk deploy --require-approval "${APPROVAL:-broadening}" --exclusively --app "$app" "$@"; }
output() { node -p 'JSON.parse(fs.readFileSync(process.argv[1]))[process.argv[2]][process.argv[3]]' "$1" "$2" "$3"; }
service=$(node -p 'Object.entries(JSON.parse(fs.readFileSync(process.argv[1])).artifacts).filter(([name, { type }]) =>
    type === "aws:cloudformation:stack" && !/-(replica|edge|copies|alarms)$/.test(name)).map(([name]) => name).join("\n")' "$app/manifest.json")
set --
if [ -f "$app/$service-edge.template.json" ]; then
    deploy "$service-edge" --outputs-file "$app.edge.outputs.json"
    set -- --parameters "$service:WebAclArn=$(output "$app.edge.outputs.json" "$service-edge" WebAclArn)"
fi
if [ -f "$app/$service-copies.template.json" ]; then
    deploy "$service-copies" --outputs-file "$app.copies.outputs.json"
    for arn in AssetCopyArn LedgerCopyArn CopyVaultArn; do
        set -- "$@" --parameters "$service:$arn=$(output "$app.copies.outputs.json" "$service-copies" "$arn")"
    done
fi
deploy "$service" --outputs-file "$app.outputs.json" "$@"
sh tools/alarms.sh "$service" "$app"
if [ -f "$app/$service-replica.template.json" ]; then
    key=$(output "$app.outputs.json" "$service" WalletKeyArn)
    deploy "$service-replica" --parameters "$service-replica:PrimaryKeyArn=$key" --outputs-file "$app.replica.outputs.json"
fi
