// Applies the rules of cdk-nag to the templates of every stage.
//
//   node nag.mjs CDK_APP FOLDER
//
// It synthesizes the deployments of deployments.json into FOLDER with the built app,
// and fails when a rule finds what accepted.json does not accept, or accepts what no
// rule finds any more. It needs no account and no network.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { faults, judge, named } from './accepted.mjs';

const require = createRequire(import.meta.url);
const { App, Stack } = require('aws-cdk-lib/core');
const { CfnInclude } = require('aws-cdk-lib/cloudformation-include');
const { AwsSolutionsChecks, ServerlessChecks } = require('cdk-nag');

const here = import.meta.dirname;
const read = (name) => JSON.parse(readFileSync(join(here, name), 'utf8'));
const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const [app, folder] = process.argv.slice(2).map((path) => resolve(path));
if (!app || !folder) fail('nag.mjs: name the built CDK app and a folder for the templates');
rmSync(folder, { recursive: true, force: true });

// The code of a function is nothing that a rule reads: its zip is empty here.
const zips = join(folder, 'functions');
mkdirSync(zips, { recursive: true });
const functions = join(here, '../../functions');
for (const name of readdirSync(functions)) {
  if (existsSync(join(functions, name, 'main.go'))) writeFileSync(join(zips, `${name}.zip`), name);
}

/** The templates of a deployment, as `cdk synth` would make them. */
function templates(deployment, context) {
  const out = join(folder, deployment);
  const made = spawnSync(app, {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR ?? '',
      JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: 'true',
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify({ ...read('../cdk.json').context, ...context, functionsDir: zips }),
    },
  });
  if (made.status !== 0) fail(`${deployment}: cannot be synthesized: ${made.error ?? made.stderr}`);
  return readdirSync(out).filter((name) => name.endsWith('.template.json')).map((name) => join(out, name));
}

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

const accepted = read('accepted.json');
const findings = Object.entries(read('deployments.json')).flatMap(([deployment, context]) =>
  templates(deployment, context).flatMap((file) => check(deployment, file)),
);
const { open, stale } = judge(findings, accepted);
const complaints = [
  ...faults(accepted).map((fault) => `accepted.json: ${fault}`),
  ...open.map((f) => `${f.deployment}: ${f.rule}: ${f.resource}: ${f.text}`),
  ...stale.map((s) => `accepted.json: ${s.rule}: ${s.resource}: is not found any more: take it out`),
];
if (complaints.length > 0) {
  fail(`${complaints.join('\n')}\nMend what was found, or accept it with a reason in infra/nag/accepted.json.`);
}
console.log(`nag: ${findings.length} findings, each accepted with a reason, in ${accepted.length} entries`);
