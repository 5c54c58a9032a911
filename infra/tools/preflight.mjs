// Asks the account whether the stacks of a release can be made there, and prints what to do where
// they cannot. All that it looks for is read from the release's templates; it changes nothing.
//   node preflight.mjs .releases/prod-0123456789ab
// It ends with 1 when something is missing. What the account does not answer is said and passed
// over: CloudFormation judges in the end.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

// unreserved is Lambda's concurrency for functions without a reservation.
const unreserved = 100;

const [release] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(release, name), "utf8"));
const missing = [];
const unknown = [];
const notes = [];

// ask answers what the AWS command line does, null where AWS says by such a word that there is no
// such thing, and undefined where nothing is known.
function ask(what, region, args, absent) {
  const call = [...args, "--output", "json", ...(region ? ["--region", region] : [])];
  const { status, stdout, stderr, error } = spawnSync("aws", call, { encoding: "utf8" });
  if (status === 0 && stdout.trim()) return JSON.parse(stdout); // a query for a member that is not there prints nothing
  const why = (error?.message ?? stderr).trim() || "AWS names nothing";
  if (absent?.test(why)) return null;
  unknown.push(`${what}: ${why}`);
}

const stacks = Object.values(read("manifest.json").artifacts)
  .filter(({ type }) => type === "aws:cloudformation:stack")
  .map(({ environment, properties, displayName }) => {
    const region = environment.split("/").pop();
    return {
      name: properties.stackName ?? displayName,
      region: region === "unknown-region" ? undefined : region,
      bootstrap: { parameter: properties.bootstrapStackVersionSsmParameter, version: properties.requiresBootstrapStackVersion },
      template: read(properties.templateFile),
    };
  });

// strings of a template, with what they are joined of where they are joined.
function* strings(value) {
  if (typeof value === "string") yield value;
  else if (value && typeof value === "object") for (const part of Object.values(value)) yield* strings(part);
}
const found = (template, pattern) => [...new Set([...strings(template)].map((text) => pattern.exec(text)?.[1]).filter(Boolean))];
const ofType = (template, type) => Object.values(template.Resources).filter((resource) => resource.Type === type);
const reserved = (template) =>
  ofType(template, "AWS::Lambda::Function").reduce((sum, { Properties: p }) => sum + (p.ReservedConcurrentExecutions ?? 0), 0);
const here = (region) => region ?? "the stack's Region";

const bootstrapped = new Set();
for (const { name, region, bootstrap, template } of stacks) {
  if (bootstrap.parameter && !bootstrapped.has(region)) {
    bootstrapped.add(region);
    const what = `CDK's bootstrap in ${here(region)}`;
    const version = ask(what, region, ["ssm", "get-parameter", "--name", bootstrap.parameter, "--query", "Parameter.Value"], /ParameterNotFound/);
    if (version === null || Number(version) < bootstrap.version)
      missing.push(
        `${what} is ${version === null ? "not there" : `version ${version}`}, ${bootstrap.version} is needed: cdk bootstrap aws://ACCOUNT/${region ?? "REGION"}`,
      );
  }

  const wanted = reserved(template);
  const [alarm] = ofType(template, "AWS::CloudWatch::Alarm").filter(({ Properties: p }) => p.MetricName === "ClaimedAccountConcurrency");
  const what = `The reserved concurrency of ${name}`;
  const limit = (wanted > 0 || alarm) && ask(what, region, ["lambda", "get-account-settings", "--query", "AccountLimit"]);
  if (limit?.ConcurrentExecutions < alarm?.Properties.Threshold)
    notes.push(`AccountBusyAlarm cannot ring: the account has ${limit.ConcurrentExecutions} concurrent executions, so set accountConcurrency to that`);
  if (wanted > 0) {
    const deployed = ask(what, region, ["cloudformation", "get-template", "--stack-name", name, "--query", "TemplateBody"], /does not exist/);
    if (limit && deployed !== undefined) {
      const more = wanted - (deployed?.Resources ? reserved(deployed) : 0);
      const free = limit.UnreservedConcurrentExecutions - unreserved;
      if (more > free)
        missing.push(
          `${what} is ${wanted}, ${more} more than now, and of the account's ${limit.ConcurrentExecutions} concurrent executions ${Math.max(free, 0)} can be reserved ` +
            `(Lambda keeps ${unreserved}): request ${limit.ConcurrentExecutions + more - free} of quota L-B99A9384 of Lambda, or set runConcurrency and payoutConcurrency lower, as profile=small does`,
        );
    }
  }

  for (const arn of found(template, /^(arn:aws[\w-]*:acm:[\w-]+:\d+:certificate\/[\w-]+)$/)) {
    const what = `The certificate ${arn}`;
    const status = ask(what, arn.split(":")[3], ["acm", "describe-certificate", "--certificate-arn", arn, "--query", "Certificate.Status"], /ResourceNotFound/);
    if (status === null) missing.push(`${what} is not there: request one for the domain, and set its ARN`);
    else if (status !== undefined && status !== "ISSUED")
      missing.push(`${what} is ${status}: it must be ISSUED, which takes the DNS record that ACM names in "aws acm describe-certificate"`);
  }

  // A name is in policies with the six characters that Secrets Manager adds.
  const secrets = [...found(template, /:secret:(.+)-\?{6}$/), ...found(template, /^(arn:aws[\w-]*:secretsmanager:[\w-]+:\d+:secret:[^*?]+)$/)];
  for (const secret of secrets) {
    const what = `The secret ${secret}`;
    const at = secret.startsWith("arn:") ? secret.split(":")[3] : region;
    if (ask(what, at, ["secretsmanager", "describe-secret", "--secret-id", secret, "--query", "ARN"], /ResourceNotFound/) === null)
      missing.push(`${what} is not there in ${here(at)}: aws secretsmanager create-secret --name NAME --secret-string file://VALUE, see Secrets in docs/operations.md`);
  }

  if (ofType(template, "AWS::Backup::BackupPlan").length > 0) {
    const what = "AWS Backup's opt-in for DynamoDB";
    const chosen = ask(what, region, ["backup", "describe-region-settings", "--query", "ResourceTypeOptInPreference"]);
    if (chosen?.DynamoDB === false)
      missing.push(`${what} is off in ${here(region)}, so no table would be copied: aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true`);
    else if (chosen && chosen.DynamoDB === undefined) unknown.push(`${what}: AWS Backup names no choice`);
  }
}

for (const line of notes) console.error(`note: ${line}`);
for (const line of unknown) console.error(`not checked: ${line}`);
for (const line of missing) console.error(`missing: ${line}`);
if (missing.length > 0) process.exit(1);
console.log(unknown.length > 0 ? "preflight: nothing is missing of what could be checked" : "preflight: nothing is missing");
