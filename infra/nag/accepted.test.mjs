import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faults, judge, named } from './accepted.mjs';

const found = (deployment, resource, rule = 'S1') => ({ deployment, rule, resource, text: 'no logs' });
const reason = 'a reason that is long enough to be one';

test('what is not accepted is open', () => {
  const accepted = [{ rule: 'S1', resources: ['Assets'], reason }];
  const findings = [found('dev', 'Assets'), found('dev', 'Books'), found('dev', 'Assets', 'S2')];
  assert.deepEqual(judge(findings, accepted), { open: findings.slice(1), stale: [] });
});

test('what is accepted and not found is stale', () => {
  const accepted = [
    { rule: 'S1', resources: ['Assets', 'Gone'], reason },
    { rule: 'S9', resources: ['Assets'], reason },
  ];
  assert.deepEqual(judge([found('dev', 'Assets')], accepted).stale, [
    { rule: 'S1', resource: 'Gone' },
    { rule: 'S9', resource: 'Assets' },
  ]);
});

test('an acceptance has a resource and a reason, once', () => {
  assert.deepEqual(faults([{ rule: 'S1', resources: ['A'], reason }]), []);
  assert.equal(faults([{ rule: 'S1', resources: [], reason }]).length, 1);
  assert.equal(faults([{ rule: 'S1', resources: ['A'], reason: 'ok' }]).length, 1);
  assert.equal(faults([{ rule: 'S1', resources: ['A', 'A'], reason }]).length, 1);
});

test('hashes are taken off names', () => {
  assert.equal(named('AssetBucket1D025086'), 'AssetBucket');
  assert.equal(named('IAM5[Resource::<AssetBucket1D025086.Arn>/images/*]'), 'IAM5[Resource::<AssetBucket.Arn>/images/*]');
  assert.equal(named('TokenKey2'), 'TokenKey2');
});
