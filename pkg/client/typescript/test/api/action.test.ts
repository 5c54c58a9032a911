import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BlinkInstance,
  createSignMessageText,
  isBlockchainSupported,
  isVersionSupported,
  MAX_SUPPORTED_ACTION_VERSION,
  type SingleValueActionComponent,
  unfurlUrlToBlinkApiUrl,
  verifySignMessageData,
} from '@dialectlabs/blinks-core';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { SignMessageData } from '@solana/actions-spec';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** A request and the service's response, as Go's handlers gave it. */
interface Exchange {
  path: string;
  method: string;
  request?: { account: string; signature?: string };
  headers: Record<string, string>;
  status: number;
  body: Record<string, unknown>;
}

const exchanges = JSON.parse(
  readFileSync(new URL('../../../../api/apigw/action/testdata/actions.json', import.meta.url), 'utf8'),
) as Exchange[];
const MINT = '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp';
const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** The types of the specification for the responses, in the order of the exchanges. */
const TYPES = [
  'ActionsJson',
  'ActionGetResponse',
  'TransactionResponse',
  'ActionError',
  'SignMessageResponse',
  'CompletedAction',
];

/** What TypeScript's compiler says of values, each of a type of the specification. */
function faults(values: { type: string; value: unknown }[]): string[] {
  const file = new URL('./specification.ts', import.meta.url).pathname;
  const text = values
    .map(
      ({ type, value }, i) =>
        `export const v${i}: import('@solana/actions-spec').${type} = ${JSON.stringify(value)};`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : read(name, version);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

describe('the responses of Solana Actions', () => {
  // A problem has more members than an ActionError, which a literal of that type may not have.
  const values = exchanges.map(({ body, status }, i) => ({
    type: TYPES[i] ?? 'never',
    value: status === 200 ? body : { message: body.message },
  }));

  it('have the types of the specification', { timeout: 60_000 }, () => {
    expect(exchanges).toHaveLength(TYPES.length);
    expect(faults(values)).toEqual([]);
  });

  it('would not have the types with another spelling', { timeout: 60_000 }, () => {
    const wrong = values.map(({ type, value }) => ({ type, value: { ...(value as object), tittle: '' } }));
    expect(faults(wrong)).toHaveLength(TYPES.length);
  });
});

describe('a client of Solana Actions', () => {
  const server = createServer((request, response) => {
    const found = exchanges.find((e) => e.path === request.url && e.method === request.method);
    response.writeHead(found?.status ?? 404, { 'Content-Type': 'application/json', ...found?.headers });
    response.end(JSON.stringify(found?.body ?? {}));
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  const open = async () => BlinkInstance.fetch((await unfurlUrlToBlinkApiUrl(`${origin}/t/${MINT}`)) ?? '');
  const account = exchanges[2]?.request?.account ?? '';

  it('finds the action of a page, and may show the action', async () => {
    const blink = await open();
    expect(blink.url).toBe(`${origin}/actions/${MINT}`);
    expect(blink.metadata).toEqual({ blockchainIds: [MAINNET], version: '2.4' });
    expect(
      isVersionSupported({ actionVersion: '2.4', supportedActionVersion: MAX_SUPPORTED_ACTION_VERSION }),
    ).toBe(true);
    const chains = {
      actionBlockchainIds: blink.metadata.blockchainIds ?? [],
      supportedBlockchainIds: [MAINNET],
    };
    expect(isBlockchainSupported(chains)).toBe(true);
    expect(blink.actions.map((a) => a.label)).toEqual([
      'Buy for 0.1 SOL',
      'Buy for 0.5 SOL',
      'Buy for 1 SOL',
      'Buy',
      'Claim rewards',
    ]);
  });

  it('gets a transaction, and shows the reason of a refusal', async () => {
    const [, half, , free] = (await open()).actions;
    expect(await half?.post(account)).toMatchObject({ type: 'transaction', transaction: 'dHJhbnNhY3Rpb24=' });
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    (free as SingleValueActionComponent).setValue('none');
    await expect(free?.post(account)).rejects.toEqual({
      message: expect.stringMatching(/^sol: Must be an amount/),
    });
    log.mockRestore();
  });

  it('accepts the message of a claim, signs the text that Go verified, and completes the claim', async () => {
    const blink = await open();
    const asked = (await blink.actions.at(-1)?.post(account)) as unknown as {
      data: SignMessageData;
      links: { next: { type: 'post'; href: string } };
    };
    const limits = {
      expectedAddress: account,
      expectedDomains: ['api.example.com'],
      expectedChainIds: [MAINNET],
    };
    expect(verifySignMessageData(asked.data, limits)).toEqual([]);
    expect(verifySignMessageData(asked.data, { ...limits, expectedDomains: ['evil.example'] })).not.toEqual(
      [],
    );
    const text = new TextEncoder().encode(createSignMessageText(asked.data));
    const signature = base58.encode(ed25519.sign(text, new Uint8Array(32)));
    expect(signature).toBe(exchanges.at(-1)?.request?.signature);
    const done = await blink.chain(asked.links.next, { account, signature });
    expect(done?.type).toBe('completed');
  });
});
