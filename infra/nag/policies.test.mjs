import assert from 'node:assert/strict';
import { test } from 'node:test';

import { policies, resolved } from './policies.mjs';

const template = {
  Parameters: { PrimaryKeyArn: { Type: 'String' }, Stage: { Type: 'String', Default: 'dev' } },
  Resources: {
    Books1D025086: { Type: 'AWS::S3::Bucket' },
    Topic: { Type: 'AWS::SNS::Topic' },
    Strange: { Type: 'AWS::Strange::Thing' },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole' }] } },
    },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Action: 's3:GetObject', Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Books1D025086', 'Arn'] }, '/plans/*']] } }],
        },
      },
    },
  },
};

test('every document is found, with ARNs', () => {
  const found = policies(template);
  assert.deepEqual(
    found.map(({ resource, path }) => `${resource} ${path}`),
    ['Role AssumeRolePolicyDocument', 'Policy PolicyDocument'],
  );
  assert.equal(found[0].document.Statement[0].Resource, 'arn:aws:iam::123456789012:role/Role');
  assert.equal(found[1].document.Statement[0].Resource, 'arn:aws:s3:::books1d025086/plans/*');
});

test('intrinsics are resolved', () => {
  for (const [value, want] of [
    [{ Ref: 'AWS::AccountId' }, '123456789012'],
    [{ Ref: 'Topic' }, 'arn:aws:sns:us-east-1:123456789012:Topic'],
    [{ Ref: 'Stage' }, 'dev'],
    [{ 'Fn::Sub': 'x-${AWS::Region}' }, 'x-us-east-1'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b'] }] }, 'b'],
    [{ a: [1, null, { Ref: 'Stage' }] }, { a: [1, null, 'dev'] }],
  ]) {
    assert.deepEqual(resolved(template, value), want);
  }
  assert.match(resolved(template, { Ref: 'PrimaryKeyArn' }), /^arn:aws:kms:/);
});

test('what is not known is an error, and no guess', () => {
  assert.throws(() => resolved(template, { 'Fn::GetAtt': ['Strange', 'Arn'] }), /Strange/);
  assert.throws(() => resolved(template, { 'Fn::Transform': {} }), /Fn::Transform/);
  assert.throws(() => resolved(template, { Ref: 'Gone' }), /Gone/);
});
