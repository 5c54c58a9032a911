import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, expectTypeOf, it } from 'vitest';
import { answer, connect, Problem, type ProblemCode, problemOf } from '../../src/api/index.js';

/** The error of a call, through the real fetch. */
const thrown = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (cause) {
    return cause;
  }
  throw new Error('the call has an answer');
};
const token = (address: string, signal?: AbortSignal) =>
  answer(
    connect(address, undefined, { attempts: 1 }).GET('/tokens/{mintAddress}', {
      params: { path: { mintAddress: 'm' } },
      ...(signal ? { signal } : {}),
    }),
  );

it('is unreachable with the cause where no service listens', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  const cause = (await thrown(token(`http://127.0.0.1:${port}`))) as Problem;
  expect(cause.code).toBe('unreachable');
  expect(((cause.cause as Error).cause as { code: string }).code).toBe('ECONNREFUSED');
});

it('is the caller’s own reason where the caller aborts', async () => {
  const server = createServer(() => {}); // no answer
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    const own = new AbortController();
    const call = token(`http://127.0.0.1:${port}`, own.signal);
    server.once('request', () => own.abort(new Error('enough')));
    expect(await thrown(call)).toEqual(new Error('enough'));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('is the error of the arguments, which is no outage', async () => {
  const body = { supply: 1000000n } as never;
  const call = answer(connect('http://127.0.0.1:1', undefined).POST('/tokens/create-unsigned', { body }));
  expect(await thrown(call)).toBeInstanceOf(TypeError);
  expect(await thrown(call)).not.toBeInstanceOf(Problem);
});

it('names the fields that are to blame', () => {
  const fields = [{ field: 'decimals', code: 'not_allowed', message: 'must be 6 or 9' }];
  const refused = new Problem('validation_failed', 'One field is not valid.', { fields });
  expect(refused.message).toBe('One field is not valid. decimals: must be 6 or 9');
  expect(refused.detail).toBe('One field is not valid.');
});

it('has the codes of the document and of the package, and any other', () => {
  const given = { status: 404, code: 'token_not_found', detail: 'No.' };
  const { code } = problemOf(new Response(null, { status: 404 }), given);
  expectTypeOf<'token_not_found'>().toExtend<ProblemCode>();
  expectTypeOf<Extract<ProblemCode, 'launch_limit_exceeded'>>().toEqualTypeOf<'launch_limit_exceeded'>();
  expectTypeOf<Extract<ProblemCode, 'no_such_code'>>().toEqualTypeOf<never>();
  expectTypeOf<string>().toExtend<ProblemCode>();
  switch (code) {
    case 'token_not_found':
      break;
    default:
      expect.unreachable();
  }
});
