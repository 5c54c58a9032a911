// The limiter and the frame of an answer, as pkg/aws/windowtable and pkg/api/apigw have them.
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { randomBytes, randomInt } from 'node:crypto';

const table = process.env.WINDOW_TABLE;

// network is the key of an address: an IPv6 one counts by its /64.
const network = (ip) => (ip.includes(':') ? `${ip.split(':').slice(0, 4).join(':')}::/64` : ip);
const epoch = Date.UTC(2020, 0, 1);

// stamp is a claim's time in seven bytes that sort: microseconds, and a random tail.
function stamp(ms, tail) {
  const whole = Buffer.alloc(8);
  whole.writeBigUInt64BE((BigInt(ms - epoch) * 1000n << 6n) | BigInt(tail));
  return whole.subarray(1);
}

// take claims a slot of the rule's window by one conditional update.
async function take(db, rule, ip, now) {
  const slot = randomInt(rule.limit).toString(20);
  const { Attributes } = await db.send(new UpdateItemCommand({
    TableName: table,
    Key: { pk: { S: `RATE#${rule.name}#${network(ip)}` }, sk: { S: 'W' } },
    UpdateExpression: 'SET #slot = :now, #last = :id, #expires = :expires',
    ConditionExpression: 'attribute_not_exists(#slot) OR #slot <= :cutoff',
    ExpressionAttributeNames: { '#slot': slot, '#last': 'last', '#expires': 'expiresAt' },
    ExpressionAttributeValues: {
      ':now': { B: stamp(now, randomInt(64)) },
      ':cutoff': { B: stamp(now - rule.seconds * 1000, 63) },
      ':id': { B: randomBytes(7) },
      ':expires': { N: String(Math.floor(now / 1000) + rule.seconds + 60) },
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }));
  return Object.keys(Attributes).filter((name) => /^[0-9a-j]{1,2}$/.test(name) && name !== 'pk' && name !== 'sk').length;
}

// limited answers a request that its window lets through.
export async function limited(db, rule, event, answer) {
  const now = Date.now();
  const used = await take(db, rule, event.requestContext.http.sourceIp, now);
  const { body, cache } = await answer(event, now);
  const headers = {
    'Content-Type': 'application/json',
    'X-Ratelimit-Limit': String(rule.limit),
    'X-Ratelimit-Remaining': String(rule.limit - used),
    'X-Ratelimit-Reset': String(Math.ceil(now / 1000) + rule.seconds),
    'X-Ratelimit-Window': String(rule.seconds),
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000',
    'X-Request-Id': event.requestContext.requestId,
  };
  if (cache) headers['Cache-Control'] = cache;
  console.log(JSON.stringify({ time: new Date(now).toISOString(), level: 'INFO', msg: 'request', route: event.routeKey, status: 200, durationMs: Date.now() - now }));
  return { statusCode: 200, headers, body: JSON.stringify(body), isBase64Encoded: false };
}
