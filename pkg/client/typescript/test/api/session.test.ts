import { describe, expect, it } from 'vitest';
import { answer, connect, signInMessage } from '../../src/api/index.js';
import { authorized, Sessions } from '../../src/api/session.js';
import { keySigner } from '../../src/sign/index.js';

const key = keySigner(new Uint8Array(32).fill(5));
const lines = [
  'launch.example wants you to sign in with your Solana account:',
  key.address,
  '',
  'Sign in to launch tokens.',
  '',
  'URI: https://launch.example',
  'Version: 1',
  'Chain ID: devnet',
  'Nonce: abcdefgh12345678',
  'Issued At: 2026-03-02T10:00:00.000Z',
  'Expiration Time: 2026-03-02T10:05:00.000Z',
];
const message = lines.join('\n');
const change = (line: number, text: string) => lines.map((l, i) => (i === line ? text : l)).join('\n');

describe('a sign-in message', () => {
  const read = (text: string) => () => signInMessage(text, key.address, ['launch.example']);
  it('is signed as it is', () => {
    expect(new TextDecoder().decode(read(message)())).toBe(message);
  });
  it('is refused when it is anything else', () => {
    const other = keySigner(new Uint8Array(32).fill(6)).address;
    expect(read(change(1, other))).toThrow('for the wallet');
    expect(read(change(0, lines[0]?.replace('launch', 'evil') ?? ''))).toThrow('it is for evil.example');
    for (const text of [
      '',
      `${message}\n`,
      ` ${message}`,
      `${message}\nResources:`,
      change(3, 'Pay\u202e all.'),
      change(3, ''),
      change(4, 'x'),
      change(5, 'URI: nothing'),
      change(6, 'Version: 2'),
      change(7, 'Chain ID: moon'),
      change(8, 'Nonce: short'),
      change(9, 'Issued At: today'),
      change(10, 'Expiration Time: 2026-03-02T10:05:00Z'),
      change(0, `launch.example/x${lines[0]?.slice(14)}`),
      change(3, 'x'.repeat(2100)),
      message.replaceAll('\n', '\r\n'),
    ])
      expect(read(text), JSON.stringify(text)).toThrow('no sign-in message');
  });
});

/** A service that signs in, whose tokens are "jwt1", "jwt2" and so on, and that takes those that are good. */
function service(good: (token: string) => boolean, expires = '2099-01-01T00:00:00.000Z', loses = 0) {
  const calls: string[] = [];
  let [tokens, left] = [0, loses];
  const json = (status: number, body: object) =>
    new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  const send = async (request: Request) => {
    const { pathname } = new URL(request.url);
    const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    calls.push(`${pathname} ${token}`.trim());
    if (pathname === '/auth/challenge') return json(200, { challenge: message });
    if (pathname === '/auth/verify') {
      if (left-- > 0) throw new TypeError('fetch failed');
      return json(200, { token: `jwt${++tokens}`, wallet: key.address, expiresAt: expires });
    }
    if (good(token)) return json(200, { body: request.method === 'POST' ? await request.json() : null });
    return json(401, { code: 'invalid_token', detail: 'No.', status: 401 });
  };
  const api = connect('https://launch.example', undefined, { send });
  const sessions = new Sessions(api, key, ['launch.example']);
  authorized(api, sessions);
  return { api, calls, sessions };
}

describe('a session', () => {
  it('begins with the first call that needs one, once for all', async () => {
    const { api, calls } = service(() => true);
    await answer(api.GET('/health'));
    await Promise.all([answer(api.GET('/tokens/me')), answer(api.GET('/tokens/me'))]);
    expect(calls).toEqual([
      '/health',
      '/auth/challenge',
      '/auth/verify',
      '/tokens/me jwt1',
      '/tokens/me jwt1',
    ]);
  });
  it('is begun again once, with the same body, when its token was refused', async () => {
    const { api, calls } = service((token) => token === 'jwt2');
    const body = { transactionId: 't', signedTransaction: 's' };
    expect(await answer(api.POST('/tokens/submit', { body }))).toEqual({ body });
    expect(calls.filter((c) => c.startsWith('/tokens'))).toEqual([
      '/tokens/submit jwt1',
      '/tokens/submit jwt2',
    ]);
    const never = service(() => false);
    await expect(answer(never.api.GET('/tokens/me'))).rejects.toMatchObject({ code: 'invalid_token' });
    expect(never.calls.filter((c) => c.startsWith('/tokens'))).toHaveLength(2);
  });
  it('is renewed before its end', async () => {
    const { api, calls } = service(() => true, new Date(Date.now() + 60_000).toISOString());
    await answer(api.GET('/tokens/me'));
    await answer(api.GET('/tokens/me'));
    expect(calls).toContain('/tokens/me jwt2');
  });
  it('asks for another message when the answer to one was lost', async () => {
    const { sessions, calls } = service(() => true, undefined, 2);
    expect(await sessions.token()).toBe('jwt1');
    expect(calls.filter((c) => c === '/auth/challenge')).toHaveLength(3);
    await expect(service(() => true, undefined, 3).sessions.token()).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});
