/** The messages of webhooks: verified, and typed by the service's document. */
import { base64 } from '@scure/base';
import type { Schemas } from '../api/index.js';
import { bytesOf, join, textOf } from '../proof/bytes.js';

/**
 * A message of a webhook, by its `type`. The service may add types: ignore one that you do not know.
 * Answer a `webhook.challenge` with the JSON `{"challenge": data.challenge}`.
 */
export type WebhookMessage = {
  [Name in keyof Schemas]: Name extends `${string}Message` ? Schemas[Name] : never;
}[keyof Schemas];

/** The message is not signed by the service with this secret, or is too old: it is not to be believed. */
export class NotSigned extends Error {
  constructor(why: string) {
    super(`The message is not signed by the service: ${why}.`);
    this.name = 'NotSigned';
  }
}

/** The headers of a request: those of `fetch`, or of Node's `request.headers`. */
export type MessageHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the receiver of a message decides. */
export interface Receiving {
  /** The most seconds between the signature and now; 300 by default. */
  readonly tolerance?: number;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** The headers of a message as Standard Webhooks names them. */
const [ID, TIME, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const PREFIX = 'whsec_';
const TOLERANCE = 300;

/**
 * Verifies a message and returns it with its id, which is the same each time that the message is sent.
 * `body` is the body of the request as it came: JSON that was parsed and written again has another
 * signature. `secret` is that of the webhook. Throws `NotSigned`.
 */
export async function constructEvent(
  body: string | Uint8Array,
  headers: MessageHeaders,
  secret: string,
  { tolerance = TOLERANCE, now = Date.now }: Receiving = {},
): Promise<WebhookMessage & { readonly id: string }> {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string' || value === '') throw new NotSigned(`it has no header ${name}`);
    return value;
  };
  const [id, time, signatures] = [read(ID), read(TIME), read(SIGNATURE)];
  if (!/^\d{1,12}$/.test(time)) throw new NotSigned(`${TIME} is no time in seconds`);
  if (Math.abs(now() / 1000 - Number(time)) > tolerance)
    throw new NotSigned(`it was signed more than ${tolerance} seconds ago or ahead of the clock`);
  const key = await keyOf(secret);
  const content = signed(id, time, body);
  // There are several while a secret is replaced. WebCrypto compares in constant time.
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version !== 'v1') continue;
    const bytes = decoded(text);
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content)))
      return { ...(JSON.parse(typeof body === 'string' ? body : textOf(body)) as WebhookMessage), id };
  }
  throw new NotSigned('no signature is of this body and this secret');
}

/** The headers with which the service would send a body now, or at a time: for the tests of a receiver. */
export async function testHeaders(
  secret: string,
  body: string | Uint8Array,
  { id = crypto.randomUUID(), time = new Date() }: { readonly id?: string; readonly time?: Date } = {},
): Promise<Record<typeof ID | typeof TIME | typeof SIGNATURE, string>> {
  const seconds = String(Math.floor(time.getTime() / 1000));
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret), signed(id, seconds, body));
  return { [ID]: id, [TIME]: seconds, [SIGNATURE]: `v1,${base64.encode(new Uint8Array(mac))}` };
}

const signed = (id: string, time: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(join(bytesOf(`${id}.${time}.`), typeof body === 'string' ? bytesOf(body) : body));

function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64.decode(text));
  } catch {
    return null;
  }
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes?.length)
    throw new Error(
      `The secret of a webhook begins with ${PREFIX}, and the rest is base64: this one does not.`,
    );
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}
