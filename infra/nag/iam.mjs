// Lints every policy document of synthesized templates with parliament.
//
//   node iam.mjs PARLIAMENT WORK FOLDER...
//
// WORK is a folder for the documents. It fails when the linter finds what accepted-iam.json does
// not accept, or accepts what it does not find any more. It needs no account and no network.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { faults, judge, named } from './accepted.mjs';
import { policies } from './policies.mjs';

const [parliament, work, ...folders] = process.argv.slice(2);
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const documents = [
  // A linter that finds nothing here checks nothing.
  { deployment: 'a test', resource: 'Faulty', path: '', document: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObjekt', Resource: 'arn:aws:s3:::a/*' }] } },
];
for (const folder of folders) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.template.json'))) {
    const template = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    documents.push(...policies(template).map((policy) => ({ deployment: `${basename(folder)}/${name}`, ...policy })));
  }
}
documents.forEach(({ document }, n) => writeFileSync(join(work, `${n}.json`), JSON.stringify(document, null, 2)));

const run = spawnSync(parliament, ['--directory', work, '--json', '--include-community-auditors'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  env: { ...process.env, PYTHONWARNINGS: 'ignore' },
});
if (run.error || run.stderr) throw new Error(`parliament failed: ${run.error ?? run.stderr}`);
const all = run.stdout
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const { issue, description, detail, location } = JSON.parse(line);
    const { deployment, resource, path } = documents[Number.parseInt(basename(location.filepath), 10)];
    return { deployment, rule: issue, resource: named(resource), path, text: `${path}: ${description} ${JSON.stringify(detail)}` };
  })
  // To assume a role is to get credentials.
  .filter(({ rule, path }) => rule !== 'CREDENTIALS_EXPOSURE' || path !== 'AssumeRolePolicyDocument');
const findings = all.filter(({ resource }) => resource !== 'Faulty');
const accepted = JSON.parse(readFileSync(join(import.meta.dirname, 'accepted-iam.json'), 'utf8'));
const { open, stale } = judge(findings, accepted);
const complaints = [
  ...(all.some(({ resource, rule }) => resource === 'Faulty' && rule === 'UNKNOWN_ACTION') ? [] : ['parliament does not find a fault that is there']),
  ...faults(accepted).map((fault) => `accepted-iam.json: ${fault}`),
  ...open.map((f) => `${f.deployment}: ${f.rule}: ${f.resource}: ${f.text}`),
  ...stale.map((s) => `accepted-iam.json: ${s.rule}: ${s.resource}: is not found any more: take it out`),
];
if (complaints.length > 0) {
  console.error(`${complaints.join('\n')}\nMend what was found, or accept it with a reason in infra/nag/accepted-iam.json.`);
  process.exit(1);
}
console.log(`iam: ${documents.length - 1} policies, ${findings.length} findings, each accepted with a reason`);
