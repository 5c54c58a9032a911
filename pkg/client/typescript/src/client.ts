/** The service as one wallet uses it: what it has the wallet sign is checked first. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@scure/base';
import {
  type Api,
  answer,
  authorized,
  type Calling,
  connect,
  Problem,
  problemFrom,
  type Schemas,
  type Session,
  Sessions,
} from './api/index.js';
import { Named } from './api/named.js';
import { type CallOptions, KEY, timer, until, withOptions } from './api/repeat.js';
import { type Submission, submit, undecided, uploadPicture } from './launch/submit.js';
import { broadcast, signatureOf } from './network/broadcast.js';
import { type Ask, nodeAt } from './network/node.js';
import { taxOf } from './network/tax.js';
import { amount, bytesOf } from './proof/bytes.js';
import { type Asked, check, type Given } from './sign/check.js';
import { TransactionMismatchError } from './sign/compare.js';
import { parse } from './sign/message.js';
import { settingsText } from './sign/order.js';
import { checkSigned, type Fresh, type Signed, sameAgain } from './sign/renew.js';
import type { Signer } from './sign/signer.js';

/** How a client is made. */
export interface Options extends Calling {
  /** A Solana node: needed for what the service does not send itself, which is all but a launch. */
  readonly rpcUrl?: string;
  /** The name of the service in sign-in messages, where that is not the host of its address. */
  readonly domain?: string;
  /** A session that was begun before. */
  readonly session?: Session;
}

type Creation = Schemas['TokenCreation'];

/** A token to launch: the body of a creation. */
export interface Order extends Omit<Creation, 'walletId' | 'imageUri'> {
  /** The distribution wallet, from `generateDistributionWallet`; the launch asks for a new one by default. */
  readonly wallet?: Schemas['DistributionWallet'];
  /** A PNG or JPEG; or `imageUri`, of a picture that was uploaded before. */
  readonly picture?: Uint8Array;
  readonly imageUri?: string;
}

/**
 * The progress of a launch. Its options are for each call of the service. With an `idempotencyKey` a program
 * that ended can call `launch` again with the same order within 24 hours, and prepares no second token.
 * The order then needs a `wallet`, because the service answers each request for one with another.
 * When its signal is aborted after the launch was submitted, the launch throws `UnknownOutcomeError`.
 */
export interface Hooks extends CallOptions {
  /** What it may cost in all, in lamports; 0.1 SOL by default. The rent and what the distribution wallet gets are the service's word. */
  readonly maxLamports?: bigint;
  /** Told how far it is, in words. */
  readonly tell?: (text: string) => void;
  /** Sees the transaction, what it costs and does, when it was checked and before it is signed. An error ends the launch. */
  readonly approve?: (unsigned: Schemas['UnsignedToken']) => unknown;
  /** Sees what is about to be submitted, and again what takes its place when it has expired: who keeps the last can `finish` it. */
  readonly signed?: (submission: Submission) => unknown;
  /** Sees what the wallet changed in the transaction, a phrase each, before it is submitted: another priority fee, Lighthouse assertions. An error ends the launch. */
  readonly changed?: (changes: readonly string[]) => unknown;
}

/** The options of a call whose check depends on the token's tax. */
export interface TaxedOptions extends CallOptions {
  /** The tax of the token in percent, where it is known; it is read from the node by default. */
  readonly tax?: number;
}

/** What went to the network: its signature, and what the service answered about it. */
export interface Sent<T> {
  readonly signature: string;
  readonly given: T;
}

/** Some four times what a launch costs: 0.1 SOL. */
const MAX_LAMPORTS = 100_000_000n;
/** How often a launch is submitted at most: the limit of an hour. */
const SUBMISSIONS = 5;
/** How long after its time a launch is awaited, in milliseconds: it is decided long before. */
const PATIENCE = 180_000;
/** The number of times that a node that is away is asked again for the outcome of a transaction: some ten minutes. */
const MAX_LOOKS = 200;

/** A transaction was signed and perhaps sent, and the node does not report its outcome: sending the same again does nothing twice. */
export class PendingError extends Error {
  /** Its signature, by which the network knows it. */
  readonly signature: string;
  constructor(
    readonly signedTransaction: Uint8Array,
    override readonly cause: unknown,
  ) {
    super(`The outcome of a transaction that was signed is not known: ${problemFrom(cause).message}`);
    this.name = 'PendingError';
    this.signature = signatureOf(signedTransaction);
  }
}

/**
 * The service at an address, as one wallet uses it. It has a method for each operation of the service's
 * document, which signs in where the operation needs a token and throws a Problem, and methods that
 * check a transaction, have it signed and see it through.
 */
export class Client extends Named {
  /** Every operation by its path, typed by the service's document; those that need a token carry one. */
  readonly api: Api;
  private readonly sessions: Sessions;
  private readonly node: Ask | null;

  constructor(
    private readonly address: string,
    readonly signer: Signer,
    private readonly options: Options = {},
  ) {
    super((options) => this.connected(options));
    if (!/^https?:\/\//.test(address))
      throw new Error(`The service's address is "${address}": it must begin with https:// or http://`);
    // In a page that the service knows, its messages name the page.
    const own = globalThis.location ? [globalThis.location.host] : [];
    const domains = options.domain ? [options.domain] : [new URL(address).host, ...own];
    this.sessions = new Sessions(connect(address, undefined, options), signer, domains, options.session);
    this.api = this.connected({});
    this.node = options.rpcUrl ? nodeAt(options.rpcUrl) : null;
  }

  private connected(options: CallOptions): Api {
    const calling = withOptions(this.options, options);
    const api = connect(this.address, undefined, calling);
    authorized(api, this.sessions, calling.signal);
    return api;
  }

  /** The signal of a call, which is the client's too. */
  private signal(options: CallOptions): AbortSignal | undefined {
    return withOptions(this.options, options).signal;
  }

  /** Gets a token and keeps it. Operations that need one do so by themselves. */
  signIn(): Promise<Session> {
    return this.sessions.signIn();
  }

  /**
   * Launches a token: distribution wallet, picture, transaction, the check of every byte against the
   * request, signature, submission, and the wait until the chain has decided. Throws
   * `TransactionMismatchError`, a `Problem`, or `UnknownOutcomeError` when it was submitted and may have arrived.
   */
  async launch(order: Order, hooks: Hooks = {}): Promise<Schemas['Token']> {
    const { picture, wallet, ...token } = order;
    const { tell = () => {} } = hooks;
    if (!picture && !token.imageUri) throw new Error('A launch needs a picture, or the imageUri of one.');
    const { idempotencyKey: key, ...options } = hooks;
    if (key !== undefined && !wallet)
      throw new Error(
        'With an idempotencyKey a launch needs a wallet: keep one of generateDistributionWallet.',
      );
    const signal = this.signal(hooks);
    const api = this.connected(options);
    tell('Signing in …');
    await until(signal, this.sessions.token());
    tell('Preparing your launch …');
    const to = wallet ?? (await answer(api.POST('/tokens/generate-distribution-wallet')));
    const imageUri = token.imageUri ?? (await uploadPicture(api, picture as Uint8Array));
    const creation: Creation = { ...token, imageUri, walletId: to.walletId };
    // A key is for one request: another path or body is refused with it.
    const headers: Record<string, string> = key === undefined ? {} : { [KEY]: key };
    const given = await answer(api.POST('/tokens/create-unsigned', { body: creation, headers }));
    const bytes = check(this.signer.address, { kind: 'launch', creation, to: to.address }, given);
    const most = hooks.maxLamports ?? MAX_LAMPORTS;
    if (amount(given.cost.totalLamports) > most)
      throw new TransactionMismatchError(`it costs ${given.cost.totalLamports} lamports, more than ${most}`);
    await hooks.approve?.(given);
    const submission = {
      transactionId: given.transactionId,
      signedTransaction: await this.signLaunch(bytes, hooks),
      mintAddress: given.mintKeypair.publicKey,
      expiresAt: given.expiresAt,
    };
    await hooks.signed?.(submission);
    return this.bring(submission, hooks, false);
  }

  /** Brings a launch to its end that was signed before, also by another process or days later: it is the same launch. */
  finish(submission: Submission, hooks: Hooks = {}): Promise<Schemas['Token']> {
    return this.bring(submission, hooks, true);
  }

  private async bring(first: Submission, hooks: Hooks, again: boolean): Promise<Schemas['Token']> {
    const { idempotencyKey: _, ...options } = hooks;
    const api = this.connected(options);
    let submission = first;
    for (let left = SUBMISSIONS - 1; ; left--) {
      try {
        return await submit(api, submission, {
          ...this.waits(hooks),
          again: again && submission === first,
        });
      } catch (cause) {
        const fresh = cause instanceof Problem ? cause.refresh : null;
        if (!fresh || left === 0) throw undecided(submission, cause);
        submission = await this.signAgain(submission, fresh, hooks);
        await hooks.signed?.(submission);
      }
    }
  }

  /** Signs what takes the place of a launch that was signed, when it is the same on another blockhash. */
  private async signAgain(before: Submission, fresh: Fresh, hooks: Hooks): Promise<Submission> {
    const { address } = this.signer;
    const { signers, signatures, message } = parse(base64.decode(before.signedTransaction));
    const own = signatures[0];
    // What was kept may have been changed meanwhile: only the wallet's own word counts.
    if (
      signers[0] !== address ||
      !own ||
      !ed25519.verify(own, message, base58.decode(address), { zip215: false })
    )
      throw new TransactionMismatchError('what was signed before is not signed by this wallet');
    const bytes = sameAgain(before.signedTransaction, fresh.transaction);
    const signedTransaction = await this.signLaunch(bytes, hooks);
    return { ...before, signedTransaction, expiresAt: fresh.expiresAt };
  }

  /**
   * Changes a token's settings by a signed order: the wallet signs the text of what they are then.
   * What the change does not name is the service's word, so `show` sees the text before; its error
   * ends the change. `settings_version_conflict` means that another change went before: call it again.
   */
  async settings(
    mint: string,
    change: Partial<Schemas['SettingsChange']>,
    show?: (text: string) => unknown,
    options: CallOptions = {},
  ): Promise<Schemas['EffectiveSettings']> {
    const now = await this.getDistributionSettings({ tokenId: mint }, options);
    const { version, text } = settingsText(mint, now, change);
    await show?.(text);
    const signature = await until(this.signal(options), this.signer.signText(bytesOf(text)));
    const order = { version, signature: base58.encode(signature) };
    return this.changeDistributionSettings({ tokenId: mint, ...change, order }, options);
  }

  /** Changes the tax of a token's transfers, where its launch left it adjustable. */
  async tax(
    mint: string,
    transferFeePercent: number,
    options?: CallOptions,
  ): Promise<Sent<Schemas['UnsignedTransferFee']>> {
    return this.send({ kind: 'tax', mint, transferFeePercent }, options, async () => {
      const { transferFee } = await this.changeDistributionSettings(
        { tokenId: mint, transferFeePercent },
        options,
      );
      if (!transferFee) throw new Problem('unexpected', 'The service returns no transaction.');
      return transferFee;
    });
  }

  /** Opens a pool, which trades at once. */
  async pool(body: Schemas['PoolCreation'], options?: CallOptions): Promise<Sent<Schemas['UnsignedPool']>> {
    return this.send({ kind: 'pool', pool: body }, options, () => this.createUnsignedPool(body, options));
  }

  /** Puts tokens on a bonding curve. The token's tax decides the first price. */
  async curve(
    body: Schemas['CurveCreation'],
    { tax: known, ...options }: TaxedOptions = {},
  ): Promise<Sent<Schemas['UnsignedCurve']>> {
    const tax = known ?? (await this.taxOf(body.tokenMint, options));
    return this.send({ kind: 'curve', curve: body, tax }, options, () =>
      this.createUnsignedCurve(body, options),
    );
  }

  /** Buys from a curve, for `most` lamports at most. */
  async buy(
    mint: string,
    trade: Schemas['CurvePurchase'],
    most: bigint,
    options?: CallOptions,
  ): Promise<Sent<Schemas['UnsignedPurchase']>> {
    return this.send({ kind: 'buy', mint, trade, most }, options, () =>
      this.createUnsignedBuy({ mintAddress: mint, ...trade }, options),
    );
  }

  /** Buys from a curve for exactly `trade.lamports`; at least `least` base units arrive. */
  async spend(
    mint: string,
    trade: Schemas['CurvePurchase'],
    least: bigint,
    options?: CallOptions,
  ): Promise<Sent<Schemas['UnsignedPurchase']>> {
    return this.send({ kind: 'spend', mint, trade, least }, options, () =>
      this.createUnsignedBuy({ mintAddress: mint, ...trade }, options),
    );
  }

  /** Sells to a curve, for `least` lamports at least. */
  async sell(
    mint: string,
    trade: Schemas['CurveSale'],
    least: bigint,
    options?: CallOptions,
  ): Promise<Sent<Schemas['UnsignedSale']>> {
    return this.send({ kind: 'sell', mint, trade, least }, options, () =>
      this.createUnsignedSell({ mintAddress: mint, ...trade }, options),
    );
  }

  /** Ends a curve that is not locked: what is in it comes back to the wallet. */
  async cancel(mint: string, options?: CallOptions): Promise<Sent<Schemas['UnsignedCancellation']>> {
    return this.send({ kind: 'cancel', mint }, options, () =>
      this.createUnsignedCancel({ mintAddress: mint }, options),
    );
  }

  /** Claims the trading fees that a curve has earned, also where its liquidity is locked. */
  async claimFees(mint: string, options?: CallOptions): Promise<Sent<Schemas['UnsignedFeeClaim']>> {
    return this.send({ kind: 'fees', mint }, options, () =>
      this.createUnsignedFeeClaim({ mintAddress: mint }, options),
    );
  }

  /** Locks tokens over time. The token's tax decides how many tokens arrive. */
  async lock(
    mint: string,
    lock: Schemas['TokenLock'],
    { tax: known, ...options }: TaxedOptions = {},
  ): Promise<Sent<Schemas['UnsignedLock']>> {
    const tax = known ?? (await this.taxOf(mint, options));
    return this.send({ kind: 'lock', mint, lock, tax }, options, () =>
      this.createUnsignedLock({ mintAddress: mint, ...lock }, options),
    );
  }

  /** Pays for a token to be featured. Look whether `given.recipient` is the service's: it is not known here. */
  async feature(
    tokenMint: string,
    durationDays: number,
    options?: CallOptions,
  ): Promise<Sent<Schemas['UnsignedPromotion']>> {
    return this.send({ kind: 'promotion', durationDays }, options, () =>
      this.createUnsignedPromotion({ tokenMint, durationDays }, options),
    );
  }

  /**
   * Asks the service for a transaction, checks it, has it signed, sends it and waits until it is
   * confirmed. Without a node the service is not asked.
   */
  private async send<T extends Given & Fresh>(
    asked: Asked,
    options: CallOptions = {},
    ask: () => Promise<T>,
  ): Promise<Sent<T>> {
    const node = this.needsNode();
    const signal = this.signal(options);
    const given = await ask();
    const { transaction } = await this.sign(check(this.signer.address, asked, given), signal);
    return { signature: await this.watch(node, transaction, given, signal), given };
  }

  /** The tax of a token in percent. Your node says it and not the service, whose answer is checked with it. */
  private taxOf(mint: string, options: CallOptions): Promise<number> {
    return until(this.signal(options), taxOf(this.needsNode(), mint));
  }

  private needsNode(): Ask {
    if (!this.node)
      throw new Problem('no_node', 'The client sends this to a Solana node: give it an rpcUrl.');
    return this.node;
  }

  /** Sends what was signed until it has landed or never will, also while the node is away. */
  private async watch(
    node: Ask,
    signed: Uint8Array,
    given: Fresh,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const asked: Ask = async (method, params) => {
      signal?.throwIfAborted();
      return node(method, params);
    };
    for (let tries = 0; ; tries++) {
      try {
        return await until(signal, broadcast(asked, signed, given, { again: tries > 0 }));
      } catch (cause) {
        if (signal?.aborted) throw new PendingError(signed, signal.reason);
        if (!(cause instanceof Problem) || cause.retryAfter === null) throw cause;
        if (tries >= MAX_LOOKS) throw new PendingError(signed, cause);
        await until(signal, (this.options.sleep ?? timer)(cause.retryAfter * 1000)).catch((reason) => {
          throw new PendingError(signed, reason);
        });
      }
    }
  }

  /** Has bytes signed that were checked, and checks what comes back. */
  private async sign(bytes: Uint8Array, signal?: AbortSignal): Promise<Signed> {
    return checkSigned(bytes, await until(signal, this.signer.signTransaction(bytes)));
  }

  /** Has a launch signed, and tells what the wallet changed in it. */
  private async signLaunch(bytes: Uint8Array, hooks: Hooks): Promise<string> {
    const { transaction, changes } = await this.sign(bytes, this.signal(hooks));
    if (changes.length > 0) await hooks.changed?.(changes);
    return base64.encode(transaction);
  }

  private waits({ tell, ...options }: Hooks) {
    const sleep = (ms: number) => until(this.signal(options), (this.options.sleep ?? timer)(ms));
    return { patience: PATIENCE, ...(tell ? { tell } : {}), sleep };
  }
}
