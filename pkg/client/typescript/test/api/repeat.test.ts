import { describe, expect, it } from 'vitest';
import { type Answer, answer, type Calling, connect, Problem, type Retry } from '../../src/api/index.js';

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const problem = (status: number, code: string, more: object = {}) =>
  json(status, { type: 'x', title: 'No', status, detail: `${code}.`, code, requestId: 'r', ...more });

type Turn = Response | Error;

/** An API that answers these in turn, and what came of it. */
function api(turns: Turn[], more: Calling = {}) {
  const sent: Request[] = [];
  const bodies: string[] = [];
  const waits: number[] = [];
  const retries: Retry[] = [];
  const calling: Calling = {
    send: async (request) => {
      sent.push(request);
      bodies.push(request.method === 'GET' ? '' : await request.text());
      const turn = turns.shift();
      if (turn instanceof Error) throw turn;
      return turn ?? json(200, { walletId: 'w', address: 'a' });
    },
    sleep: async (ms) => void waits.push(ms),
    onRetry: (retry) => void retries.push(retry),
    ...more,
  };
  return { connected: connect('https://launch.example', undefined, calling), sent, bodies, waits, retries };
}
const lost = () => new TypeError('fetch failed');
const creation = (a: ReturnType<typeof api>) =>
  answer(a.connected.POST('/tokens/create-unsigned', { body: {} as never }));
const challenge = (a: ReturnType<typeof api>) =>
  answer(a.connected.POST('/auth/challenge', { body: { wallet: 'w' } }));

describe('a call', () => {
  it('is sent again under one key when its answer was lost', async () => {
    const a = api([lost(), problem(503, 'upstream_unavailable'), lost()]);
    expect(await creation(a)).toEqual({ walletId: 'w', address: 'a' });
    expect(new Set(a.sent.map((r) => r.headers.get('Idempotency-Key'))).size).toBe(1);
    expect(a.sent).toHaveLength(4);
    expect(a.waits.every((ms, i) => ms >= 125 * 2 ** i && ms <= 375 * 2 ** i)).toBe(true);
    expect(a.retries.map((r) => r.problem.code)).toEqual([
      'unreachable',
      'upstream_unavailable',
      'unreachable',
    ]);
  });
  it('has another key each time, or its caller’s', async () => {
    const a = api([]);
    await creation(a);
    await creation(a);
    const headers = { 'Idempotency-Key': 'mine' };
    await answer(a.connected.POST('/tokens/create-unsigned', { body: {} as never, headers }));
    const [one, two, three] = a.sent.map((r) => r.headers.get('Idempotency-Key'));
    expect(one).not.toBe(two);
    expect(three).toBe('mine');
  });
  it('is sent with its whole body each time', async () => {
    const a = api([problem(429, 'rate_limit_exceeded', { retryAfter: 7 })]);
    await challenge(a);
    expect(a.bodies).toEqual(['{"wallet":"w"}', '{"wallet":"w"}']);
    expect(a.waits).toEqual([7_000]);
  });
  it('is not sent again where it could do something twice', async () => {
    for (const [turn, code] of [
      [lost(), 'unreachable'],
      [problem(503, 'upstream_unavailable'), 'upstream_unavailable'],
    ] as const) {
      const a = api([turn]);
      await expect(challenge(a)).rejects.toMatchObject({ code });
      expect(a.sent).toHaveLength(1);
    }
  });
  it('is sent again without a key where it changes nothing', async () => {
    const a = api([lost(), json(200, {}), lost()]);
    await answer(a.connected.POST('/tokens/validate', { body: {} as never }));
    await answer(a.connected.POST('/tokens/generate-distribution-wallet'));
    expect(a.sent.map((r) => r.headers.has('Idempotency-Key'))).toEqual([false, false, false, false]);
  });
  it('waits for the same call that is under way, and not after another conflict', async () => {
    const a = api([problem(409, 'idempotency_in_progress', { retryAfter: 1 })]);
    await creation(a);
    expect(a.sent).toHaveLength(2);
    const b = api([problem(409, 'wallet_in_use')]);
    await expect(creation(b)).rejects.toMatchObject({ code: 'wallet_in_use', status: 409 });
    expect(b.sent).toHaveLength(1);
  });
  it('leaves a long wait to its caller, and ends after its attempts', async () => {
    const a = api([problem(429, 'launch_limit_exceeded', { retryAfter: 2520 })]);
    await expect(creation(a)).rejects.toMatchObject({ code: 'launch_limit_exceeded', retryAfter: 2520 });
    expect(a.waits).toEqual([]);
    const b = api([lost(), lost(), lost()], { attempts: 3 });
    await expect(creation(b)).rejects.toBeInstanceOf(Problem);
    expect(b.sent).toHaveLength(3);
  });
  it('reads the answers of what is before the service', async () => {
    const a = api([
      new Response('{"message":"Too Many Requests"}', { status: 429, headers: { 'Retry-After': '2' } }),
    ]);
    await creation(a);
    expect(a.waits).toEqual([2_000]);
  });
  it('follows no redirect with a token', async () => {
    let init: RequestInit = {};
    const send = async (_: Request, given: RequestInit) => {
      init = given;
      return new Response(null, { status: 302, headers: { Location: 'https://other.example' } });
    };
    await expect(
      answer(connect('https://launch.example', 'jwt', { send }).GET('/health')),
    ).rejects.toMatchObject({ status: 302 });
    expect(init.redirect).toBe('manual');
  });
  it('tells of the rate limit of its last answer, which a problem has too', async () => {
    const headers = {
      ...{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1772445600' },
      ...{ 'X-RateLimit-Window': '60', 'X-Request-Id': 'r1' },
    };
    const rateLimit = { limit: 60, remaining: 0, reset: new Date('2026-03-02T10:00:00Z'), window: 60 };
    const answers: Answer[] = [];
    const onAnswer = (answer: Answer) => void answers.push(answer);
    const replayed = json(200, { walletId: 'w' }, { ...headers, 'Idempotency-Replayed': 'true' });
    const busy = json(
      429,
      { code: 'rate_limit_exceeded', detail: 'No.' },
      { ...headers, 'Retry-After': '50' },
    );
    const a = api([lost(), replayed, busy], { onAnswer });
    await creation(a);
    const cause = await creation(a).catch((cause: unknown) => cause);
    const call = 'POST /tokens/create-unsigned';
    expect(answers).toEqual([
      { call, attempts: 2, status: 200, requestId: 'r1', rateLimit, retryAfter: null, replayed: true },
      { call, attempts: 1, status: 429, requestId: 'r1', rateLimit, retryAfter: 50, replayed: false },
    ]);
    expect(cause).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 50, rateLimit });
    await creation(api([json(200, {})], { onAnswer }));
    expect(answers.at(-1)).toMatchObject({ rateLimit: null, requestId: null });
  });
});
