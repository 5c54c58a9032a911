// The policy documents of synthesized templates, with ARNs as they could be in an account.

const region = 'us-east-1';
const account = '123456789012';
const pseudo = { 'AWS::Region': region, 'AWS::AccountId': account, 'AWS::Partition': 'aws', 'AWS::URLSuffix': 'amazonaws.com', 'AWS::StackName': 'stack' };

const arn = (service, resource) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** What an ARN of each kind of resource looks like. */
const arns = {
  'AWS::ApiGatewayV2::Api': (id) => arn('apigateway', `/apis/${id}`),
  'AWS::Backup::BackupVault': (id) => arn('backup', `backup-vault:${id}`),
  'AWS::CloudTrail::Trail': (id) => arn('cloudtrail', `trail/${id}`),
  'AWS::DynamoDB::GlobalTable': (id) => arn('dynamodb', `table/${id}`),
  'AWS::Events::Rule': (id) => arn('events', `rule/${id}`),
  'AWS::IAM::Role': (id) => `arn:aws:iam::${account}:role/${id}`,
  'AWS::KMS::Key': () => arn('kms', 'key/00000000-0000-0000-0000-000000000000'),
  'AWS::KMS::ReplicaKey': () => arn('kms', 'key/mrk-00000000000000000000000000000000'),
  'AWS::Lambda::Function': (id) => arn('lambda', `function:${id}`),
  'AWS::Logs::LogGroup': (id) => arn('logs', `log-group:${id}:*`),
  'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id.toLowerCase()}`,
  'AWS::SecretsManager::Secret': (id) => arn('secretsmanager', `secret:${id}-AbCdEf`),
  'AWS::SNS::Topic': (id) => arn('sns', id),
  'AWS::SQS::Queue': (id) => arn('sqs', id),
};

/** Parameters by which one stack hands another an ARN, by how their names end. */
const handed = { KeyArn: 'AWS::KMS::Key', CopyArn: 'AWS::S3::Bucket', VaultArn: 'AWS::Backup::BackupVault' };

/** Of these a reference is the ARN, and of others a name. */
const byArn = ['AWS::SNS::Topic', 'AWS::SecretsManager::Secret'];

function arnOf(template, id) {
  const made = arns[template.Resources[id]?.Type];
  if (!made) throw new Error(`policies.mjs does not know what an ARN of ${id} (${template.Resources[id]?.Type}) looks like: add it`);
  return made(id);
}

function referred(template, id) {
  if (id in pseudo) return pseudo[id];
  if (template.Resources[id]) return byArn.includes(template.Resources[id].Type) ? arnOf(template, id) : id.toLowerCase();
  const parameter = template.Parameters?.[id];
  if (!parameter) throw new Error(`nothing is called ${id}`);
  if (parameter.Default) return parameter.Default;
  const [, kind] = Object.entries(handed).find(([end]) => id.endsWith(end)) ?? [];
  return kind ? arns[kind](id) : id.toLowerCase();
}

/** A value of a template as it could be once it is deployed. */
export function resolved(template, value) {
  if (Array.isArray(value)) return value.map((item) => resolved(template, item));
  if (value === null || typeof value !== 'object') return value;
  const [[name, argument], ...others] = Object.entries(value).concat([['']]);
  if (others.length === 1) {
    if (name === 'Ref') return referred(template, argument);
    if (name === 'Fn::GetAtt' && argument[1] === 'StreamArn') return `${arnOf(template, argument[0])}/stream/2026-11-24T00:00:00.000`;
    if (name === 'Fn::GetAtt') return argument[1] === 'Arn' || argument[1].endsWith('Arn') ? arnOf(template, argument[0]) : argument.join('-').toLowerCase();
    if (name === 'Fn::Join') return resolved(template, argument[1]).join(argument[0]);
    if (name === 'Fn::Sub' && typeof argument === 'string') return argument.replace(/\$\{([^}]+)\}/g, (_, id) => referred(template, id));
    if (name === 'Fn::Split') return resolved(template, argument[1]).split(argument[0]);
    if (name === 'Fn::Select') return resolved(template, argument[1])[argument[0]];
    if (name.startsWith('Fn::')) throw new Error(`policies.mjs does not know ${name}: add it`);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(template, item)]));
}

/**
 * Every policy document in a template, wherever a resource has it. Who may assume a role is a
 * document without a resource: it gets the role's, for a linter asks for one.
 */
export function policies(template) {
  const found = [];
  const look = (resource, path, value) => {
    if (value === null || typeof value !== 'object') return;
    if (!value.Statement || !value.Version) {
      for (const [key, item] of Object.entries(value)) look(resource, [...path, key], item);
      return;
    }
    const document = resolved(template, value);
    if (path.at(-1) === 'AssumeRolePolicyDocument') {
      document.Statement = [document.Statement].flat().map((statement) => ({ ...statement, Resource: arnOf(template, resource) }));
    }
    found.push({ resource, path: path.join('.'), document });
  };
  for (const [id, { Properties }] of Object.entries(template.Resources)) look(id, [], Properties ?? {});
  return found;
}
