/** Adds up what the transactions of a proof did, each by its purpose. */
import { u64 } from './allocation.js';
import { assetsOf, Lines, type Payment, type Payments, type Reserved } from './books.js';
import { type Change, gain, loss, STILL, TOKEN, type TokenAccount, type Transaction } from './chain.js';
import { ATA_PROGRAM, associated } from './derive.js';
import { Custody, type Effect, pays } from './effect.js';
import { Fault } from './fault.js';
import {
  hasReceipt,
  type Transaction as Named,
  type Purpose,
  parseAsset,
  SOL,
  WRAPPED_SOL,
  ZERO,
} from './line.js';
import { type Manifest, rewardOf } from './manifest.js';
import { TRUST_LIST_VERSION } from './trust.js';
import { accountsOf } from './walk.js';

/**
 * The most that one transaction may take as its fee, in lamports. A fee can be a tip to its own
 * sender: the leader of a slot has half of it. It is the price of 1,400,000 compute units at the
 * highest price that the service is ever set to, 5,000,000 micro-lamports, and some signatures.
 */
export const MAX_FEE = 7_100_000n;

/** The change of the wallet's lamports without the fee and the receipts, and each asset's change. */
interface Changes {
  readonly by: ReadonlyMap<string, Change>;
  readonly left: Change;
}

export class Judge {
  readonly lines = new Lines();
  readonly receipts = { lent: 0n, returned: 0n };
  /** With whom tokens were exchanged without a market. */
  readonly direct: string[] = [];
  /** Sales through programs that only a later list of trusted programs can have. */
  readonly unlisted: { readonly signature: string; readonly program: string }[] = [];
  /** Receipts, none of which is made twice. */
  private readonly made = new Set<string>();
  readonly assets: readonly string[];
  readonly wallet: string;
  readonly paid: ReadonlyMap<string, readonly Payment[]>;
  /** What was sent, perhaps; less what a transaction that is not named has paid of it. */
  readonly reserved: readonly Reserved[];
  readonly custody: Custody;
  private readonly own: readonly string[];

  /** How many token accounts of the wallet are followed. */
  get accounts(): number {
    return this.own.length;
  }

  constructor(
    private readonly m: Manifest,
    payments: Payments,
    readonly named: ReadonlyMap<string, Named>,
    private readonly markets: readonly string[],
  ) {
    this.paid = payments.paid;
    this.reserved = payments.reserved;
    this.wallet = m.wallet;
    this.assets = assetsOf(m);
    this.own = accountsOf(m).map((a) => a.address);
    this.custody = new Custody({
      wallet: m.wallet,
      mint: m.mint,
      tokens: m.tokenAccount,
      wrapped: associated(m.wallet, WRAPPED_SOL, TOKEN),
      own: this.own,
      newer: m.trustList > TRUST_LIST_VERSION,
    });
  }

  /** One that adds up on its own, and knows the same receipts; with other payments. */
  scratch(paid: ReadonlyMap<string, readonly Payment[]> = this.paid): Judge {
    const other = new Judge(this.m, { paid, reserved: this.reserved }, this.named, this.markets);
    for (const receipt of this.made) other.made.add(receipt);
    return other;
  }

  /**
   * Judges a transaction of the wallet's, and adds what it did to the lines; false for one that the
   * wallet signed and the proof does not name.
   */
  see(t: Transaction): boolean {
    const pays = t.payer === this.wallet;
    if (pays && t.fee > MAX_FEE) throw new Fault(`its fee is ${t.fee} lamports, at most ${MAX_FEE} are one`);
    for (const a of t.tokens)
      if (this.own.includes(a.address) && a.ownerBefore === this.wallet && a.ownerAfter !== this.wallet)
        throw new Fault(`the wallet's account ${a.address} is ${a.ownerAfter}'s after it, or closed`);
    const named = this.named.get(t.signature);
    if (t.failed !== '') {
      if (named) throw new Fault(`it is named for ${named.purpose}, and failed: ${t.failed}`);
      if (pays) this.failed(t);
      return true;
    }
    if (!t.signedBy(this.wallet)) {
      if (named) throw new Fault(`it is named for ${named.purpose}, and the wallet did not sign it`);
      this.deposit(t);
      return true;
    }
    if (!named) return false;
    if (named.slot !== t.slot) throw new Fault(`it landed at slot ${t.slot}, not ${named.slot}`);
    this.act(named.purpose, t);
    return true;
  }

  /** One that failed cost the wallet its fee. */
  private failed(t: Transaction): void {
    const sol = t.lamports(this.wallet) ?? STILL;
    if (loss(sol) !== t.fee || gain(sol) > 0n)
      throw new Fault(`it failed, and took ${loss(sol)} lamports with a fee of ${t.fee}`);
    this.lines.add(SOL, 'fees', t.fee);
  }

  /** Notes what others sent. */
  private deposit(t: Transaction): void {
    for (const asset of this.assets) {
      const c = this.change(t, asset);
      if (loss(c) > 0n) throw new Fault(`${loss(c)} of ${asset} left the wallet without its signature`);
      this.lines.add(asset, 'deposits', gain(c));
    }
  }

  /** The change of the wallet's lamports, or of its one account of a token. */
  change(t: Transaction, asset: string): Change {
    if (asset === SOL) return t.lamports(this.wallet) ?? STILL;
    let [before, after] = [0n, 0n];
    for (const a of t.tokens)
      if (a.mint === asset && this.own.includes(a.address)) {
        before += a.before;
        after += a.after;
      }
    return { before: u64(before), after: u64(after) };
  }

  /** Judges what the wallet did, by the purpose that the proof names. */
  act(purpose: Purpose, t: Transaction): void {
    const { m, lines } = this;
    const rows = this.paid.get(t.signature) ?? [];
    const payees = new Set(rows.map((p) => p.owner));
    const e = this.custody
      .paying(
        (owner) => payees.has(owner),
        rows.some((p) => p.asset === SOL),
      )
      .effects(purpose, t.instructions, (account) => t.tokenOwner(account));
    if (t.payer !== this.wallet) throw new Fault('the wallet signed it, and does not pay for it');
    // What one has got, others could pass on at once.
    if (pays(purpose) && t.signers !== 1)
      throw new Fault(`${t.signers} sign it, and a payment is the wallet's alone`);
    if (hasReceipt(purpose)) {
      if (this.made.has(e.made)) throw new Fault(`the receipt ${e.made} was made before`);
      this.made.add(e.made);
    }
    this.receipts.lent = u64(this.receipts.lent + e.lent);
    this.receipts.returned = u64(this.receipts.returned + e.returned);
    const by = new Map(this.assets.map((asset) => [asset, this.change(t, asset)]));
    const sol = by.get(SOL) ?? STILL;
    const own = by.get(m.mint) ?? STILL;
    const left = { before: u64(sol.before + e.returned), after: u64(sol.after + t.fee + e.lent) };
    lines.add(SOL, 'fees', t.fee);
    lines.add(SOL, 'receiptsLent', e.lent);
    lines.add(SOL, 'receiptsReturned', e.returned);
    switch (purpose) {
      case 'setup':
      case 'collect':
        if (
          gain(left) > 0n ||
          loss(left) > this.rent(t) ||
          loss(own) > 0n ||
          (purpose === 'setup' && gain(own) > 0n)
        )
          throw new Fault(
            `the wallet lost ${loss(left)} lamports in addition to its fee, and its accounts got ${this.rent(t)}`,
          );
        still(by, m.mint);
        lines.add(SOL, 'rent', loss(left));
        lines.add(m.mint, 'collected', gain(own));
        return;
      case 'anchor':
      case 'handover':
      case 'void':
      case 'return':
        if (left.before !== left.after)
          throw new Fault(
            `the wallet went from ${sol.before} to ${sol.after} lamports, with a fee of ${t.fee}, ${e.lent} lent and ${e.returned} returned`,
          );
        still(by);
        return;
      case 'burn':
        if (left.before !== left.after || loss(own) !== e.burned || gain(own) > 0n)
          throw new Fault(
            `${e.burned} were burned, and the wallet lost ${loss(own)} tokens and ${loss(left)} lamports`,
          );
        still(by, m.mint);
        lines.add(m.mint, 'burned', e.burned);
        return;
      case 'exchange':
      case 'fuel':
        this.sale(e, t, { by, left });
        return;
      case 'creator':
      case 'pay':
        this.pay(purpose, t, rows, { by, left });
        return;
    }
  }

  /** What lamports the wallet's own accounts of tokens got that a transaction made. */
  private rent(t: Transaction): bigint {
    return made(t, (a) => a.ownerAfter === this.wallet);
  }

  /** Judges an exchange by what it took and what it brought. */
  private sale(e: Effect, t: Transaction, { by, left }: Changes): void {
    const { m, lines } = this;
    const reward = parseAsset(rewardOf(m));
    for (const a of t.tokens)
      if (a.ownerAfter === this.wallet && a.after > a.before && !this.own.includes(a.address))
        throw new Fault(
          `an exchange left ${a.after - a.before} of ${a.mint} in the wallet's account ${a.address}, which no statement has`,
        );
    const sold = loss(by.get(m.mint) ?? STILL);
    let brought = gain(left);
    for (const [asset, c] of by) {
      if (asset === m.mint || asset === SOL) continue;
      if (loss(c) > 0n || (asset !== reward && gain(c) > 0n))
        throw new Fault(`an exchange for ${reward} changed ${asset} from ${c.before} to ${c.after}`);
      brought = u64(brought + gain(c));
    }
    if (sold === 0n || brought === 0n) throw new Fault(`an exchange of ${sold} tokens brought ${brought}`);
    if (loss(left) > this.rent(t))
      throw new Fault(
        `an exchange took ${loss(left)} lamports in addition to its fee and receipt, and the wallet's accounts got ${this.rent(t)}`,
      );
    if (!e.called && !e.sent) throw new Fault('tokens left in an exchange that calls no program of one');
    if (e.sent) this.direct.push(this.counterparty(t));
    if (e.unlisted !== '') this.unlisted.push({ signature: t.signature, program: e.unlisted });
    lines.add(m.mint, 'sold', sold);
    lines.add(SOL, 'proceeds', gain(left));
    lines.add(SOL, 'rent', loss(left));
    for (const [asset, c] of by) if (asset !== m.mint && asset !== SOL) lines.add(asset, 'proceeds', gain(c));
  }

  /** The second signer of an exchange: a market that the reader has named. */
  private counterparty(t: Transaction): string {
    const other = t.accounts.slice(0, t.signers).find((a) => a.address !== this.wallet);
    if (!other)
      throw new Fault('tokens went straight to an account, and its owner has not signed: that is a gift');
    if (!this.markets.includes(other.address))
      throw new Fault(
        `tokens were sold to ${other.address} itself, which is no market that the reader has named`,
      );
    return other.address;
  }

  /** Judges a payment by its rows. */
  private pay(purpose: Purpose, t: Transaction, rows: readonly Payment[], { by, left }: Changes): void {
    const asset = rows[0]?.asset;
    if (asset === undefined) throw new Fault('it pays no row');
    let [paid, received] = [0n, 0n];
    for (const p of rows) {
      if (p.asset !== asset) throw new Fault(`it pays rows of ${asset} and of ${p.asset}`);
      const got = gain(t.change(p.owner, asset));
      if (got !== p.received)
        throw new Fault(`${p.owner} received ${got} of ${asset}, and the row says ${p.received}`);
      if (p.charged && !makesAccountOf(t, p.owner))
        throw new Fault(`${p.owner} was charged for an account, and no account is made for it`);
      paid = u64(paid + p.paid);
      received = u64(received + p.received);
    }
    const went = loss(asset === SOL ? left : (by.get(asset) ?? STILL));
    if (went !== paid || gain(left) > 0n)
      throw new Fault(`${went} of ${asset} left the wallet, and the rows say ${paid}`);
    const rent = asset === SOL ? 0n : loss(left);
    const accounts = made(t, (a) => a.mint === asset && rows.some((p) => p.owner === a.ownerAfter));
    if (rent > accounts)
      throw new Fault(
        `${rent} lamports left in addition to the fee and the receipt, and new accounts got ${accounts}`,
      );
    still(by, asset);
    this.lines.add(SOL, 'rent', rent);
    this.lines.add(asset, purpose === 'creator' ? 'creator' : 'holders', received);
    this.lines.add(asset, 'taxOnSending', u64(paid - received));
  }
}

/** Throws when a token moved, except for one. */
function still(by: ReadonlyMap<string, Change>, except = SOL): void {
  for (const [asset, c] of by)
    if (asset !== SOL && asset !== except && c.before !== c.after)
      throw new Fault(
        `${asset} went from ${c.before} to ${c.after}, and a transaction of this purpose does not move it`,
      );
}

/** What lamports certain accounts of tokens got that a transaction made. */
function made(t: Transaction, of: (account: TokenAccount) => boolean): bigint {
  let lamports = 0n;
  for (const a of t.tokens)
    if (a.ownerBefore === ZERO && of(a)) lamports += gain(t.lamports(a.address) ?? STILL);
  return u64(lamports);
}

/** Whether a transaction has an instruction to make an owner's account, which does nothing where there is one. */
const makesAccountOf = (t: Transaction, owner: string): boolean =>
  t.instructions.some((i) => i.program === ATA_PROGRAM && i.accounts[2] === owner);
