import '../token/page';
import { base58, base64 } from '@scure/base';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { registerWallet } from '@wallet-standard/wallet';
import { bearer } from 'tokenlaunch/api';
import { parse } from 'tokenlaunch/sign';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { address } from './build';

const me = address(1);
const DAY = 86_400_000;
const start = Date.parse('2026-03-02T10:00:00.000Z');

/** Features by which a wallet signs a text, in place of `solana:signMessage`. */
type Forms = Readonly<Record<string, object>>;

/** A wallet as a browser's extension registers one. */
function extension(options: { account?: string; silent?: boolean; forms?: Forms } = {}) {
  const account = (at: string): WalletAccount => ({
    address: at,
    publicKey: base58.decode(at),
    chains: ['solana:devnet'],
    features: [],
  });
  let changed: (() => void) | undefined;
  const wallet = {
    version: '1.0.0',
    name: 'Extension',
    icon: 'data:image/png;base64,AA==',
    chains: ['solana:devnet'],
    accounts: [] as WalletAccount[],
    asked: [] as boolean[],
    signedText: '',
    features: {
      'standard:connect': {
        connect: async (input?: { silent?: boolean }) => {
          wallet.asked.push(!input?.silent);
          if (input?.silent && !options.silent) return { accounts: [] };
          wallet.accounts = [account(options.account ?? me)];
          return { accounts: wallet.accounts };
        },
      },
      'standard:events': {
        on: (_: string, call: (c: object) => void) => {
          changed = () => call({ accounts: wallet.accounts });
          return () => {};
        },
      },
      ...(options.forms ?? {
        'solana:signMessage': {
          signMessage: async ({ message }: { message: Uint8Array }) => {
            wallet.signedText = new TextDecoder().decode(message);
            return [{ signedMessage: message, signature: new Uint8Array(64).fill(3) }];
          },
        },
      }),
      'solana:signTransaction': {
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
          { signedTransaction: transaction },
        ],
      },
    },
    switchTo: (at: string) => {
      wallet.accounts = [account(at)];
      changed?.();
    },
  };
  registerWallet(wallet as unknown as Wallet);
  return wallet;
}

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ code, detail: code, status }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });
const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

/** The API's part of signing in. */
function service(line = me) {
  const verified: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (path === '/auth/challenge') return json({ challenge: signInMessage(line) });
    if (path === '/auth/verify') {
      verified.push(await request.json());
      return json({ token: 'jwt', wallet: me, expiresAt: new Date(start + 7 * DAY).toISOString() });
    }
    return problem(401, 'invalid_token');
  });
  return verified;
}

/** A sign-in message of the service for a wallet. */
const signInMessage = (wallet: string) =>
  [
    `${location.host} wants you to sign in with your Solana account:`,
    ...[wallet, '', 'Sign in to launch tokens.', '', `URI: ${location.origin}`, 'Version: 1'],
    ...['Chain ID: devnet', 'Nonce: abcdefgh', 'Issued At: 2026-03-02T10:00:00.000Z'],
    'Expiration Time: 2026-03-02T10:05:00.000Z',
  ].join('\n');

/** Loads the module again, as a navigation does. */
async function load() {
  vi.resetModules();
  const module = await import('../../src/wallet/session');
  module.begin();
  return module;
}

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function signedIn(options: { silent?: boolean; forms?: Forms } = {}) {
  const verified = service();
  const wallet = extension(options);
  const module = await load();
  await module.connect(wallet as unknown as Wallet);
  await module.signIn();
  return { wallet, module, verified };
}

describe('a wallet that does not sign texts', () => {
  const signature = new Uint8Array(64).fill(4);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const begun = (by: object) => [{ wallet: me, challenge: signInMessage(me), ...by }];
  /** What accounts on a Ledger answer. */
  const ledger = {
    'solana:signMessage': {
      signMessage: async () => {
        throw new Error('Signing off chain messages with Ledger is not yet supported');
      },
    },
  };

  it('signs in by an off-chain message', async () => {
    const forms = {
      'solana:signOffchainMessage': {
        supportedMessageVersions: [1],
        signOffchainMessage: async (input: { message: string; requiredSigners: Uint8Array[] }) => {
          const [signer] = input.requiredSigners as [Uint8Array];
          const head = [0xff, ...bytes('solana offchain'), 1, 1, ...signer];
          return [{ signedOffchainMessage: Uint8Array.of(...head, ...bytes(input.message)), signature }];
        },
      },
    };
    const { verified } = await signedIn({ forms: { ...ledger, ...forms } });
    expect(verified).toEqual(begun({ signature: base58.encode(signature) }));
  });
  it('signs in by signIn', async () => {
    const forms = {
      'solana:signIn': {
        version: '1.0.0',
        signIn: async (input: { address: string; nonce: string }) => {
          expect(input).toMatchObject({ address: me, nonce: 'abcdefgh', chainId: 'devnet' });
          return [{ account: { address: me }, signedMessage: bytes(signInMessage(me)), signature }];
        },
      },
    };
    const { verified } = await signedIn({ forms });
    expect(verified).toEqual(begun({ signature: base58.encode(signature) }));
  });
  it('signs in by a transaction that can never land', async () => {
    const { verified, module } = await signedIn({ forms: ledger });
    const [{ signedTransaction }] = verified as [{ signedTransaction: string }];
    expect(verified).toEqual(begun({ signedTransaction }));
    const read = parse(base64.decode(signedTransaction));
    expect(read.blockhash).toBe('1'.repeat(32));
    expect(read.signers).toEqual([me]);
    expect(read.instructions).toEqual([
      {
        program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
        accounts: [],
        data: bytes(signInMessage(me)),
      },
    ]);
    await expect(module.session.value?.signText('the settings')).rejects.toThrow('in no form');
  });
  it('can be chosen when it signs transactions', async () => {
    const { unusable } = await import('../../src/wallet/standard');
    const wallet = extension({ forms: {} });
    expect(unusable(wallet as unknown as Wallet)).toBeNull();
    const features = { 'standard:connect': wallet.features['standard:connect'] };
    expect(unusable({ ...wallet, features } as unknown as Wallet)).toContain('without sending');
  });
});

describe('a session', () => {
  it('begins with the signature of the very text', async () => {
    const { module, verified, wallet } = await signedIn();
    expect(module.session.value).toMatchObject({ wallet: me, token: 'jwt' });
    expect(verified).toEqual([
      { wallet: me, challenge: wallet.signedText, signature: base58.encode(new Uint8Array(64).fill(3)) },
    ]);
  });
  it('is not begun with a text that is for another wallet', async () => {
    service(address(5));
    const wallet = extension();
    const module = await load();
    await module.connect(wallet as unknown as Wallet);
    await expect(module.signIn()).rejects.toThrow('not a sign-in');
    expect(wallet.signedText).toBe('');
    expect(module.session.value).toBeNull();
  });
  it('is there after a navigation, and the wallet reconnects without asking', async () => {
    const { wallet } = await signedIn({ silent: true });
    wallet.asked.length = 0;
    const module = await load();
    expect(module.session.value?.token).toBe('jwt');
    await vi.waitFor(() => expect(module.connected.value?.account.address).toBe(me));
    expect(wallet.asked).not.toContain(true);
  });
  it('ends when its time is over, also while the page is open', async () => {
    const { module } = await signedIn();
    vi.advanceTimersByTime(7 * DAY - 1);
    expect(module.session.value).not.toBeNull();
    vi.advanceTimersByTime(2);
    expect(module.session.value).toBeNull();
    expect(sessionStorage.getItem('session')).toBeNull();
  });
  it('is not read when its time is over', async () => {
    await signedIn();
    vi.setSystemTime(start + 8 * DAY);
    expect((await load()).session.value).toBeNull();
  });
  it('ends when the API refuses its token, and not when it refuses another', async () => {
    const { module } = await signedIn();
    const { api } = await import('../../src/api/client');
    await api.GET('/tokens/me', { headers: bearer('older') });
    expect(module.session.value).not.toBeNull();
    await api.GET('/tokens/me', { headers: bearer('jwt') });
    expect(module.session.value).toBeNull();
  });
  it('ends when the wallet shows another account', async () => {
    const { module, wallet } = await signedIn();
    wallet.switchTo(address(2));
    expect(module.session.value).toBeNull();
    expect(module.connected.value?.account.address).toBe(address(2));
  });
  it('keeps nothing of itself beyond the tab', async () => {
    await signedIn();
    expect(JSON.stringify(localStorage)).not.toContain('jwt');
  });
});
