import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Schemas } from '../../src/api/index.js';
import { constructEvent, NotSigned, testHeaders, type WebhookMessage } from '../../src/webhooks/index.js';

// The example of the library of Standard Webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const time = new Date(1_614_265_330_000);
const body = '{"test": 2432232314}';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const headers = { 'webhook-id': id, 'webhook-timestamp': '1614265330', 'webhook-signature': signature };
const at = (seconds: number) => ({ now: () => time.getTime() + seconds * 1000 });
const other = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

describe('a message of a webhook', () => {
  it('has the signature of Standard Webhooks', async () => {
    expect(await testHeaders(secret, body, { id, time })).toEqual(headers);
    expect(await testHeaders(secret.slice('whsec_'.length), body, { id, time })).toEqual(headers);
    for (const given of [headers, new Headers(headers)])
      expect(await constructEvent(body, given, secret, at(0))).toEqual({ test: 2432232314, id });
    const bytes = new TextEncoder().encode(body);
    expect(await constructEvent(bytes, headers, secret, at(0))).toMatchObject({ test: 2432232314 });
    const own = await testHeaders(secret, body);
    expect(await constructEvent(body, own, secret)).toMatchObject({ id: own['webhook-id'] });
  });

  it('may have several signatures, of which one is right', async () => {
    for (const list of [`${other} ${signature}`, `v1a,AAAA ${signature} ${other}`, `v1,!! ${signature}`])
      await constructEvent(body, { ...headers, 'webhook-signature': list }, secret, at(0));
  });

  it('is good for five minutes before and after', async () => {
    for (const seconds of [-300, 300]) await constructEvent(body, headers, secret, at(seconds));
    for (const seconds of [-301, 301])
      await expect(constructEvent(body, headers, secret, at(seconds))).rejects.toThrow('300 seconds');
    await constructEvent(body, headers, secret, { ...at(3000), tolerance: 3600 });
  });

  it('is refused when anything else is signed', async () => {
    const none = { ...headers, 'webhook-signature': undefined };
    const cases: [string, Parameters<typeof constructEvent>][] = [
      ['another body', [`${body} `, headers, secret, at(0)]],
      ['another id', [body, { ...headers, 'webhook-id': 'x' }, secret, at(0)]],
      ['another time', [body, { ...headers, 'webhook-timestamp': '1614265331' }, secret, at(0)]],
      ['no time', [body, { ...headers, 'webhook-timestamp': 'NaN' }, secret, at(0)]],
      ['another secret', [body, headers, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', at(0)]],
      ['another signature', [body, { ...headers, 'webhook-signature': other }, secret, at(0)]],
      ['an empty signature', [body, { ...headers, 'webhook-signature': 'v1,' }, secret, at(0)]],
      [
        'another version',
        [body, { ...headers, 'webhook-signature': signature.replace('v1', 'v2') }, secret, at(0)],
      ],
      ['no signature', [body, none, secret, at(0)]],
      ['two headers', [body, { ...headers, 'webhook-id': [id, id] }, secret, at(0)]],
    ];
    for (const [name, arguments_] of cases)
      await expect(constructEvent(...arguments_), name).rejects.toBeInstanceOf(NotSigned);
    for (const wrong of ['', 'whsec_', 'whsec_?'])
      await expect(constructEvent(body, headers, wrong, at(0))).rejects.toThrow('begins with whsec_');
  });

  it('has the type of its schema', () => {
    const paid = (message: WebhookMessage) => {
      if (message.type === 'run.settled') expectTypeOf(message).toEqualTypeOf<Schemas['RunSettledMessage']>();
      if (message.type === 'webhook.challenge') expectTypeOf(message.data.challenge).toEqualTypeOf<string>();
      // @ts-expect-error There is no such type.
      return message.type === 'run.unknown';
    };
    expect(paid).toBeInstanceOf(Function);
    expectTypeOf<Schemas['WebhookEvent']>().toExtend<WebhookMessage['type']>();
  });
});
