/** Sign-in by a wallet: the service's text, checked, signed, for a token. */
import { base58, base64 } from '@scure/base';
import { bytesOf } from '../proof/bytes.js';
import type { Agreement } from '../sign/text.js';
import type { Api, Schemas } from './index.js';
import { answer, Problem } from './problem.js';
import { until } from './repeat.js';

/** A token and whose it is. */
export type Session = Pick<Schemas['Session'], 'token' | 'wallet' | 'expiresAt'>;

/** What signs a sign-in message. */
export interface Author {
  /** Address of the wallet. */
  readonly address: string;
  /** Signs a text: its bytes, or an off-chain message with it. */
  signText(text: Uint8Array): Promise<Uint8Array>;
  /** Signs a sign-in message in whatever form the wallet has; without it, `signText` signs it. */
  agree?(text: Uint8Array): Promise<Agreement>;
}

const MAX_BYTES = 2048;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const MESSAGE = new RegExp(
  [
    String.raw`^(?<domain>[^\s/@?#]+) wants you to sign in with your Solana account:`,
    '(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})',
    '',
    '[ -~]+',
    '',
    'URI: [a-z][a-z0-9+.-]*://[!-~]+',
    'Version: 1',
    'Chain ID: (?:mainnet|devnet|testnet|localnet)',
    'Nonce: [0-9A-Za-z]{8,}',
    `Issued At: ${TIME}`,
    `Expiration Time: ${TIME}$`,
  ].join('\n'),
);

/**
 * Returns the bytes of a sign-in message that a wallet may sign. Throws when the text is anything else,
 * such as a transaction, or is for another wallet or another service.
 */
export function signInMessage(text: string, wallet: string, domains: readonly string[]): Uint8Array {
  const { domain, address } = (text.length <= MAX_BYTES && MESSAGE.exec(text)?.groups) || {};
  const refuse = (why: string): never => {
    throw new Problem('not_a_sign_in', `The service asked for a signature that is not a sign-in: ${why}.`);
  };
  if (domain === undefined) refuse('the text is no sign-in message');
  if (address !== wallet) refuse(`it is for the wallet ${address}, not ${wallet}`);
  if (!domains.includes(domain as string)) refuse(`it is for ${domain}, and ${domains[0]} was called`);
  return bytesOf(text);
}

/** Signs a wallet in once. `domains` are the names that the service may give itself. */
export async function signIn(api: Api, author: Author, domains: readonly string[]): Promise<Session> {
  const wallet = author.address;
  const { challenge } = await answer(api.POST('/auth/challenge', { body: { wallet } }));
  const text = signInMessage(challenge, wallet, domains);
  const by = (await author.agree?.(text)) ?? { signature: await author.signText(text) };
  const proof =
    'signature' in by
      ? { signature: base58.encode(by.signature) }
      : { signedTransaction: base64.encode(by.signedTransaction) };
  const { token, expiresAt, ...got } = await answer(
    api.POST('/auth/verify', { body: { wallet, challenge, ...proof } }),
  );
  if (!token || got.wallet !== wallet)
    throw new Problem('unexpected', `The service returns no token for ${wallet}.`);
  return { token, wallet, expiresAt };
}

/** How long before its end a token is renewed, in milliseconds. */
const RENEW_BEFORE = 300_000;
/** How often signing in is tried: the answer to a challenge that was used may be lost. */
const SIGN_INS = 3;

/** Whether an operation needs a token, by its path in the document. */
export const needsToken = (method: string, path: string): boolean =>
  (method !== 'GET' && path.endsWith('/handover')) ||
  /\/create-unsigned$|^\/webhooks\b|^\/tokens\/(upload-image|validate|submit|me|transactions)\b|\/settings$|\/telegram\/(test|link)$|\/claims$/.test(
    path,
  );

/** The source of a token that is good, and is not the one that was refused. */
export interface Authority {
  token(refused?: string): Promise<string>;
}

/** The session of one wallet, which is begun when it is needed and renewed before it ends. */
export class Sessions implements Authority {
  private under: Promise<Session> | null = null;

  constructor(
    private readonly api: Api,
    private readonly author: Author,
    private readonly domains: readonly string[],
    private held: Session | null = null,
  ) {}

  /** Signs in, whether or not there is a session. Who asks meanwhile gets the same one. */
  signIn(): Promise<Session> {
    this.under ??= this.try().finally(() => {
      this.under = null;
    });
    return this.under;
  }

  async token(refused?: string): Promise<string> {
    const { held } = this;
    if (held && held.token !== refused && Date.parse(held.expiresAt) - Date.now() > RENEW_BEFORE)
      return held.token;
    return (await this.signIn()).token;
  }

  private async try(): Promise<Session> {
    for (let left = SIGN_INS - 1; ; left--) {
      try {
        this.held = await signIn(this.api, this.author, this.domains);
        return this.held;
      } catch (cause) {
        const lost = ['timeout', 'unreachable', 'challenge_unknown'];
        if (!(cause instanceof Problem) || !lost.includes(cause.code) || left === 0) throw cause;
      }
    }
  }
}

/** Has the operations that need a token carry one, and once a fresh one where it was refused. */
export function authorized(api: Api, authority: Authority, signal?: AbortSignal): void {
  const spare = new WeakMap<Request, Request>();
  api.use({
    async onRequest({ request, schemaPath }) {
      if (!needsToken(request.method, schemaPath) || request.headers.has('Authorization')) return;
      request.headers.set('Authorization', `Bearer ${await until(signal, authority.token())}`);
      spare.set(request, request.clone());
    },
    async onResponse({ request, response, options }) {
      const again = spare.get(request);
      const [, refused] = request.headers.get('Authorization')?.split(' ') ?? [];
      if (response.status !== 401 || !again || !refused) return;
      again.headers.set('Authorization', `Bearer ${await until(signal, authority.token(refused))}`);
      return options.fetch(again);
    },
  });
}
