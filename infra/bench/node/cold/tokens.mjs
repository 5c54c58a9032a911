// GET /tokens of a service that has launched none, as functions/tokens answers it, with
// what its other routes need.
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { createSolanaRpc } from '@solana/kit';
import { limited } from './limiter.mjs';
import { serve } from './runtime.mjs';

const rule = { name: 'tokens', limit: 100, seconds: 900 };
const db = new DynamoDBClient();
const others = [new KMSClient(), new S3Client(), createSolanaRpc('http://127.0.0.1:8899')];

async function list() {
  const { Item } = await db.send(new GetItemCommand({
    TableName: process.env.LAUNCH_TABLE, Key: { pk: { S: 'LIST#ALL' }, sk: { S: 'HEAD' } }, ConsistentRead: false,
  }));
  if (Item) throw new Error('the peer lists no tokens: measure before any is launched');
  return { body: { tokens: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false } } };
}

serve((event) => limited(db, rule, event, list), others);
