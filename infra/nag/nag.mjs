// Applies the rules of cdk-nag to synthesized templates, in Node because cdk-nag has no Go module.
//
//   node nag.mjs FOLDER...
//
// It fails when a rule finds what accepted.json does not accept, or accepts what no rule finds
// any more. It needs no account and no network.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import { faults, judge, named } from './accepted.mjs';

const require = createRequire(import.meta.url);
const { App, Stack } = require('aws-cdk-lib/core');
const { CfnInclude } = require('aws-cdk-lib/cloudformation-include');
const { AwsSolutionsChecks, ServerlessChecks } = require('cdk-nag');

/** What the rules find in one template. */
function check(deployment, templateFile) {
  const stack = new Stack(new App(), 'checked');
  new CfnInclude(stack, 'Template', { templateFile });
  return [new AwsSolutionsChecks(), new ServerlessChecks()].flatMap((pack) =>
    pack.validateScope(stack).violations.flatMap((violation) =>
      violation.violatingResources.map(({ constructPath }) => ({
        deployment,
        rule: named(violation.ruleName),
        resource: named(constructPath.split('/').at(-1)),
        text: violation.description,
      })),
    ),
  );
}

const folders = process.argv.slice(2);
const accepted = JSON.parse(readFileSync(join(import.meta.dirname, 'accepted.json'), 'utf8'));
const findings = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.template.json'))
    .flatMap((name) => check(basename(folder), join(folder, name))),
);
const { open, stale } = judge(findings, accepted);
const complaints = [
  ...faults(accepted).map((fault) => `accepted.json: ${fault}`),
  ...open.map((f) => `${f.deployment}: ${f.rule}: ${f.resource}: ${f.text}`),
  ...stale.map((s) => `accepted.json: ${s.rule}: ${s.resource}: is not found any more: take it out`),
];
if (complaints.length > 0) {
  console.error(`${complaints.join('\n')}\nMend what was found, or accept it with a reason in infra/nag/accepted.json.`);
  process.exit(1);
}
console.log(`nag: ${findings.length} findings, each accepted with a reason, in ${accepted.length} entries`);
