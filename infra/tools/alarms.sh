#!/bin/sh
# Deploys the alarms of a stack, <stack>-alarms, with the names that the stack has now. deploy.sh and
# operate rollback run it after the stack.
#   alarms.sh STACK RELEASE
set -eu
stack=${1:?name the stack} app=$(cd "${2:?name the folder of a release}" && pwd)
cd "$(dirname "$0")/.."
export CDK_DISABLE_CLI_TELEMETRY=true

# A parameter has the value of the stack's output of the same name.
parameters=$(aws cloudformation describe-stacks --stack-name "$stack" --query 'Stacks[0].Outputs' --output json | node -e '
    const [template, stack] = process.argv.slice(1);
    const outputs = Object.fromEntries(JSON.parse(fs.readFileSync(0, "utf8")).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    const { Parameters } = JSON.parse(fs.readFileSync(template, "utf8"));
    for (const name of Object.keys(Parameters).filter((name) => Parameters[name].Default === undefined)) {
        if (outputs[name] === undefined) throw new Error(`${stack} has no output ${name}: deploy this release of ${stack} first`);
        console.log(`--parameters ${stack}-alarms:${name}=${outputs[name]}`);
    }' "$app/$stack-alarms.template.json" "$stack")
# No name has a space.
# shellcheck disable=SC2086
local/node_modules/.bin/cdk deploy "$stack-alarms" --require-approval "${APPROVAL:-broadening}" --exclusively --app "$app" --no-notices $parameters
