import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Calling, Problem, type Schemas, service } from '../../src/api/index.js';
import { Client, keySigner } from '../../src/index.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: Schema }> }>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly maximum?: number;
  readonly properties?: Record<string, Schema>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../api/endpoint/docs/dist/openapi.json'), 'utf8'),
) as { readonly paths: Record<string, Record<string, Operation>> };

function resolved<T>(part: T | { readonly $ref?: string }): T {
  const { $ref } = part as { readonly $ref?: string };
  if (!$ref) return part as T;
  const names = $ref.slice(2).split('/');
  return resolved(
    names.reduce((at, name) => (at as Record<string, unknown>)[name], document as unknown) as T,
  );
}

const all = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    ...{ id: operation.operationId, method: method.toUpperCase(), path, operation },
    parameters: (operation.parameters ?? []).map((parameter) => resolved(parameter as Parameter)),
    body: Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => ({
      type,
      fields: Object.keys(resolved(schema).properties ?? {}),
    }))[0],
  })),
);

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

/** A service that keeps what it is sent, and answers so. */
function recorded(
  respond: (request: Request) => Response | Promise<Response> = () => json(200, {}),
  more: Calling = {},
) {
  const sent: Request[] = [];
  const send = async (request: Request) => {
    sent.push(request.clone());
    return respond(request);
  };
  const calling = { send, sleep: async () => {}, attempts: 1, ...more };
  return { sent, calling, service: service('https://launch.example', undefined, calling) };
}

type Loose = Record<string, (asked: object) => Promise<unknown>>;

describe('an operation by name', () => {
  it('is there for every operation of the document, at its path and with its body', async () => {
    const { sent, service } = recorded();
    expect(Object.keys(service).sort()).toEqual(all.map(({ id }) => id).sort());
    for (const { id, method, path, parameters, body } of all) {
      const inPath = parameters.filter((p) => p.in === 'path').map((p) => p.name);
      const inQuery = parameters.filter((p) => p.in === 'query').map((p) => p.name);
      // One argument has room for all of them.
      const names = [...inPath, ...inQuery, ...(body?.fields ?? [])];
      expect(new Set(names).size, id).toBe(names.length);
      expect(inQuery.length === 0 || body === undefined, id).toBe(true);
      const value = (name: string) => (body?.type.startsWith('multipart') ? new Uint8Array(3) : `a ${name}`);
      await (service as unknown as Loose)[id]?.(Object.fromEntries(names.map((name) => [name, value(name)])));
      const request = sent.pop() as Request;
      const url = new URL(request.url);
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`a ${name}`));
      expect({ method: request.method, path: url.pathname }, id).toEqual({ method, path: filled });
      expect(Object.fromEntries(url.searchParams), id).toEqual(
        Object.fromEntries(inQuery.map((name) => [name, `a ${name}`])),
      );
      const kind = request.headers.get('Content-Type')?.replace(/;.*/, '') ?? undefined;
      expect(kind, id).toBe(body?.type);
      if (body?.type === 'application/json')
        expect(Object.keys((await request.json()) as object).sort(), id).toEqual([...body.fields].sort());
      if (body?.type === 'multipart/form-data')
        expect([...(await request.formData()).keys()], id).toEqual(body.fields);
    }
  });

  it('is a method of a client, and takes no name of its other methods', () => {
    const client = new Client('https://launch.example', keySigner(new Uint8Array(32).fill(5)));
    const own = new Set(Object.getOwnPropertyNames(Client.prototype));
    for (const { id } of all) {
      expect(client).toHaveProperty(id, expect.any(Function));
      expect(own.has(id), id).toBe(false);
    }
  });

  it('throws the problem, and names what is missing before it is sent', async () => {
    const refused = { status: 404, code: 'token_not_found', detail: 'There is no such token.' };
    const { sent, service } = recorded(() => json(404, refused));
    const cause = await service.getToken({ mintAddress: 'm' }).catch((cause: unknown) => cause);
    expect(cause).toBeInstanceOf(Problem);
    expect(cause).toMatchObject(refused);
    for (const asked of [{}, { mintAddress: '' }, { mintAddress: undefined }])
      await expect(service.getToken(asked as never)).rejects.toThrow('getToken needs mintAddress');
    expect(sent).toHaveLength(1);
    const broken = recorded(() => new Response('{', { headers: { 'Content-Type': 'application/json' } }));
    await expect(broken.service.getHealth()).rejects.toMatchObject({ code: 'unexpected' });
  });

  it('returns text as a string and a picture as a Blob', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const content = (type: string, body: BodyInit) => () =>
      new Response(body, { headers: { 'Content-Type': type } });
    const badge = recorded(content('image/svg+xml; charset=utf-8', '<svg/>'));
    expect(await badge.service.getTokenBadge({ mintAddress: 'm' })).toBe('<svg/>');
    const card = recorded(content('image/png', bytes));
    const got = await card.service.getTokenCard({ mintAddress: 'm' });
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(bytes);
  });

  it('has the types of the document', () => {
    const { service } = recorded();
    expectTypeOf(service.getCurve).parameter(0).toEqualTypeOf<{ mintAddress: string }>();
    expectTypeOf(service.getCurve).returns.resolves.toEqualTypeOf<Schemas['Curve']>();
    expectTypeOf(service.listTokens).parameter(0).exclude<undefined>().toHaveProperty('creator');
    expectTypeOf(service.createUnsignedBuy)
      .parameter(0)
      .toMatchObjectType<{ mintAddress: string; tokenAmount?: string | null }>();
    expectTypeOf(service.uploadImage).parameter(0).toEqualTypeOf<{ image: Blob | Uint8Array }>();
    expectTypeOf(service.getTokenCard).returns.resolves.toEqualTypeOf<Blob>();
    expectTypeOf(service.createUnsignedCancel).parameter(0).toEqualTypeOf<{ mintAddress: string }>();
    const wrong = () => [
      // @ts-expect-error It needs a mint.
      service.getCurve({}),
      // @ts-expect-error It has no such parameter.
      service.listTokens({ mint: 'm' }),
      // @ts-expect-error An amount is a text.
      service.createUnsignedBuy({ mintAddress: 'm', tokenAmount: 1 }),
      // @ts-expect-error There is no such operation.
      service.getNothing(),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});

describe('a list by name', () => {
  const pageable = all.filter(({ parameters }) =>
    parameters.some(({ in: at, name }) => at === 'query' && (name === 'cursor' || name === 'page')),
  );

  it('has one array on each page of the document, and takes 100 entries', () => {
    expect(pageable.map(({ id }) => id)).toContain('listTokens');
    for (const { id, operation, parameters } of pageable) {
      const { content = {} } = operation.responses['200'] ?? {};
      const { properties = {} } = resolved(content['application/json']?.schema ?? {});
      const arrays = Object.values(properties).filter((schema) => resolved(schema).type === 'array');
      expect(arrays.length, id).toBe(1);
      expect('nextCursor' in properties || 'pagination' in properties, id).toBe(true);
      const { schema } = parameters.find(({ name }) => name === 'limit') as Parameter;
      expect(resolved(schema).maximum, id).toBe(100);
    }
  });

  it('goes from page to page by the cursor, and ends', async () => {
    const answers: Record<string, object> = {
      '': { totalBurned: '9', burns: [{ amount: '1' }, { amount: '2' }], nextCursor: 'b' },
      b: { totalBurned: '9', burns: [], nextCursor: 'c' },
      c: { totalBurned: '9', burns: [{ amount: '3' }], nextCursor: null },
    };
    const { sent, service } = recorded((request) =>
      json(200, answers[new URL(request.url).searchParams.get('cursor') ?? '']),
    );
    const amounts: string[] = [];
    for await (const { amount } of service.getBurns.all({ mintAddress: 'm' })) amounts.push(amount);
    expect(amounts).toEqual(['1', '2', '3']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=100',
      '?limit=100&cursor=b',
      '?limit=100&cursor=c',
    ]);
    sent.length = 0;
    for await (const { amount } of service.getBurns.all({ mintAddress: 'm', limit: 2 })) {
      expect(amount).toBe('1');
      break;
    }
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=2']);
  });

  it('goes from page to page by the number, and drops what was pushed to the next page', async () => {
    const pages = [['a', 'b'], ['b', 'c'], ['d']];
    const { sent, service } = recorded((request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
      const tokens = pages[page - 1]?.map((id) => ({ id }));
      return json(200, { tokens, pagination: { page, hasNext: page < pages.length } });
    });
    const ids: string[] = [];
    for await (const { id } of service.listTokens.all()) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c', 'd']);
    expect(sent).toHaveLength(3);
  });

  it('ends with its signal, and with a problem', async () => {
    const stop = new AbortController();
    const endless = recorded(() => json(200, { runs: [{ id: 'r' }], nextCursor: 'more' }));
    let entries = 0;
    const read = async () => {
      for await (const _ of endless.service.listRuns.all({ tokenId: 't' }, { signal: stop.signal }))
        if (++entries === 3) stop.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
    expect([entries, endless.sent.length]).toEqual([3, 3]);
    const refused = recorded(() => json(404, { code: 'token_not_found', detail: 'No.' }));
    await expect(refused.service.listRuns.all({ tokenId: 't' }).next()).rejects.toMatchObject({
      status: 404,
    });
  });

  it('has the type of an entry, and is only there for a list', () => {
    const { service } = recorded();
    expectTypeOf(service.listTokens.all).returns.toEqualTypeOf<AsyncGenerator<Schemas['Token'], void>>();
    expectTypeOf(service.listRuns.all).returns.toEqualTypeOf<AsyncGenerator<Schemas['RunSummary'], void>>();
    expectTypeOf<keyof typeof service.getToken>().toEqualTypeOf<never>();
    expectTypeOf(service.listWebhooks).not.toHaveProperty('all');
  });
});
