// POST /auth/challenge, as functions/auth answers it.
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { address } from '@solana/kit';
import { randomBytes } from 'node:crypto';
import { limited } from './limiter.mjs';
import { serve } from './runtime.mjs';

const rule = { name: 'auth-challenge', limit: 20, seconds: 60 };
const db = new DynamoDBClient();
const keys = new KMSClient(); // signs the tokens of the other route
const site = new URL(process.env.PUBLIC_URL);

async function challenge(event, now) {
  const wallet = address(JSON.parse(event.body).wallet);
  const nonce = randomBytes(16).toString('hex');
  const [issuedAt, expiresAt] = [now, now + 300_000].map((ms) => new Date(ms).toISOString());
  const message = `${site.host} wants you to sign in with your Solana account:
${wallet}

Sign in to launch and manage your tokens. This sends no transaction and costs nothing.

URI: ${process.env.PUBLIC_URL.replace(/\/$/, '')}
Version: 1
Chain ID: ${process.env.NETWORK}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expiresAt}`;
  await db.send(new PutItemCommand({
    TableName: process.env.WINDOW_TABLE,
    Item: {
      pk: { S: `CHALLENGE#${nonce}` }, sk: { S: 'CHALLENGE' }, wallet: { S: wallet }, message: { S: message },
      issuedAt: { N: String(now) }, validUntil: { N: String(now + 300_000) }, expiresAt: { N: String(Math.floor(now / 1000) + 3900) },
    },
  }));
  return { body: { challenge: message, nonce, issuedAt, expiresAt }, cache: 'no-store' };
}

serve((event) => limited(db, rule, event, challenge), keys);
