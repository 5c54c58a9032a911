/** Holds a proof against what landed on the chain, as far as a node tells. */
import { memoText } from './anchor.js';
import { agree, allowance, payments } from './books.js';
import type { Listed, Teller, Transaction } from './chain.js';
import { Fault, NoFile, Stopped, Unreachable, within } from './fault.js';
import { guarded, handedOver } from './handover.js';
import { knows, landing, read } from './history.js';
import { proveHolders } from './holders.js';
import { Judge } from './judge.js';
import { continued } from './later.js';
import { checkLaunched } from './launch.js';
import { type Transaction as Named, parseTransaction, TRANSACTION_HEADER, ZERO } from './line.js';
import { isDistribution, type Manifest, previousHash } from './manifest.js';
import type { CheckName, Report } from './report.js';
import { moved } from './rotation.js';
import { walk as lines } from './table.js';
import { TRUST_LIST_VERSION } from './trust.js';
import { judgeLost } from './undecided.js';
import { anchoredBy, memoOf, type Run, type Walked, walk } from './walk.js';

export type { Run } from './walk.js';

/** How far the asking is. */
export interface Asked {
  /** Pages of histories. */
  readonly pages: number;
  readonly transactions: number;
  /** How many transactions are known to be asked for, as yet. */
  readonly total: number;
}

/** What to ask of the chain. */
export interface Chain {
  readonly node: Teller;
  /**
   * The keys with which the wallet may exchange tokens directly, in addition to the programs of
   * exchanges. The reader names them, because no chain shows that a key is a market.
   */
  readonly markets?: readonly string[];
  readonly progress?: (asked: Asked) => void;
}

/** The method of a node that reads multisig accounts, where it has it. */
export const membersOf = (node: Teller): Pick<Teller, 'multisig'> =>
  node.multisig ? { multisig: (address) => (node.multisig as Required<Teller>['multisig'])(address) } : {};

/** Checks what landed. What a node cannot say is "not checked"; Stopped is thrown. */
export async function checkChain(run: Run, chain: Chain, report: Report): Promise<void> {
  const { anchor, manifest: m } = run;
  const node = counted(chain.node, chain.progress ?? (() => {}));
  const ask = (name: CheckName, check: () => Promise<string>) => asked(report, name, check);
  await ask('wallet on chain', async () => {
    const withdrawer = await node.withdrawer(m.mint);
    if (withdrawer !== anchor.wallet) {
      const members = await guarded(node, m.mint, withdrawer, anchor.wallet);
      if (members)
        return `two of three together may withdraw the token's tax: the anchor's signer, the guardian ${members[0]} and the creator ${members[1]}`;
      const told = await handedOver(run, node, (detail) => report.trust('rotation', detail));
      if (told !== null) return told;
      await knows(node, anchoredBy(m));
      throw new Fault(
        `the tax of ${m.mint} is ${withdrawer === ZERO ? 'no one' : withdrawer}'s to withdraw, and ${anchor.wallet} signed the anchor`,
      );
    }
    return "the anchor's signer is who may withdraw the token's tax";
  });
  await ask('anchor on chain', async () => {
    const { slot, failed } = await landing(node, anchor.signature, m.cut, anchoredBy(m));
    if (failed !== '') throw new Fault(`${anchor.signature}: it failed: ${failed}`);
    if (slot <= m.cut)
      throw new Fault(
        `${anchor.signature} landed at slot ${slot}, and the books are closed at slot ${m.cut}`,
      );
    return `${anchor.signature} landed at slot ${slot}`;
  });
  let judge: Judge;
  try {
    judge = await judgeOf(run, chain.markets ?? []);
  } catch (cause) {
    await ask('transactions on chain', () => Promise.reject(cause));
    return;
  }
  const found: { walked?: Walked } = {};
  const good = await ask('history', async () => {
    const walked = await walk(run, node);
    found.walked = walked;
    return `the wallet and its ${judge.accounts} token accounts did ${walked.transactions.length} transactions since the proof before: none is left out, for each begins with what the one before has left`;
  });
  if (good === false) return;
  const { walked } = found;
  if (!walked) {
    const seen = async () => {
      await seeNamed(run, node, judge, null);
      return `all ${judge.named.size} landed, and did what the proof says, to the unit`;
    };
    await asked(report, 'transactions on chain', seen, () => tooNew(m, judge));
    return;
  }
  await books(run, node, judge, walked, report);
  if (m.walletsBefore.length > 0)
    await ask('rotation', async () => {
      const n = await moved(run, node);
      return `the ${n} transactions of the wallets before moved what they had to ${m.wallet}, and nothing elsewhere`;
    });
  await ask('anchors', async () => {
    checkSingle(run, walked);
    return 'there is no other anchor since the proof before';
  });
  await ask('later anchors', async () => {
    const n = await continued(run, node);
    return `${n} came after this one, each of the next number and of the manifest before it`;
  });
  if (!isDistribution(m)) return;
  const creation: { launch?: Transaction } = {};
  await ask('holders on chain', async () => {
    const found = proveHolders(run, node, (launch) => {
      creation.launch = launch;
    });
    const n = await found.catch((cause: unknown) => {
      throw cause instanceof NoFile ? new Unreachable(cause.message) : cause;
    });
    return `the balances of all owners at slot ${m.snapshot.chainSlot} follow from those before and from the mint's ${n} transactions since`;
  });
  const { launch } = creation;
  if (launch) await ask('launch', () => checkLaunched(run, launch));
}

/** Makes a check; null when the node has no say in it. */
async function asked(
  report: Report,
  name: CheckName,
  check: () => Promise<string>,
  newer?: () => string,
): Promise<boolean | null> {
  try {
    return await report.note(name, check, 'proven on the chain', newer);
  } catch (cause) {
    if (cause instanceof Stopped) throw cause;
    // What a node makes up may be of any form: that is no fault of the proof, and no praise.
    report.skip(name, cause instanceof Unreachable ? cause.message : "the node's answer cannot be read");
    return null;
  }
}

/** Why only a newer verifier can judge the transactions; empty where this one can. */
function tooNew(m: Manifest, { unlisted }: Judge): string {
  const [first] = unlisted;
  if (!first) return '';
  return (
    `nothing is shown of what ${unlisted.length} sales did with the wallet's signature: they hand it to programs that this verifier does not know, the first ${first.program} in ${first.signature}. ` +
    `The proof names list ${m.trustList} of trusted programs, and this verifier has list ${TRUST_LIST_VERSION}: update the verifier. If the newest verifier reports the same, the proof does not hold`
  );
}

/** A node that tells how much it was asked. */
function counted(node: Teller, progress: (asked: Asked) => void): Teller {
  let [pages, transactions, total] = [0, 0, 0];
  const tell = () => progress({ pages, transactions, total: Math.max(total, transactions) });
  return {
    page: async (address, before) => {
      const page = await node.page(address, before);
      pages++;
      tell();
      return page;
    },
    landing: async (signature) => {
      const t = await node.landing(signature);
      transactions++;
      tell();
      return t;
    },
    tokenAccountsOf: (owner, mint) => node.tokenAccountsOf(owner, mint),
    withdrawer: (mint) => node.withdrawer(mint),
    ...membersOf(node),
    remembers: () => node.remembers(),
    expect: (more) => {
      total = transactions + more;
      tell();
    },
  };
}

async function judgeOf({ source, manifest: m, previous }: Run, markets: readonly string[]): Promise<Judge> {
  const named = new Map<string, Named>();
  const late = new Set<string>();
  for await (const t of lines(source, m.transactions, TRANSACTION_HEADER, 0n, parseTransaction)) {
    named.set(t.signature, t);
    if (previous && t.slot <= previous.cut) late.add(t.signature);
  }
  const paid = await payments(source, m, late).catch((cause: unknown) => {
    throw within('the rows cannot be read', cause);
  });
  return new Judge(m, paid, named, markets);
}

/** Judges all transactions of the histories, and what they add up to. */
async function books(run: Run, node: Teller, judge: Judge, walked: Walked, report: Report): Promise<void> {
  const { manifest: m } = run;
  const undecided: string[] = [];
  const act = async () => {
    const seen = new Set<string>();
    for (const t of walked.transactions) {
      seen.add(t.signature);
      try {
        if (judge.see(t)) continue;
        if (!allowance(m)) throw new Fault('the wallet signed it, and the proof does not name it');
        undecided.push(t.signature);
        judgeLost(m, judge, t);
      } catch (cause) {
        throw within(t.signature, cause);
      }
    }
    await seeNamed(run, node, judge, seen);
    return `all ${judge.named.size} that the wallet signed are named, and each did what its purpose needs and nothing else, to the unit`;
  };
  const acted = await asked(report, 'transactions on chain', act, () => tooNew(m, judge));
  const agreed = await asked(report, 'books on chain', async () => {
    if (acted === null) throw new Unreachable('not all transactions could be read');
    if (!acted) throw new Fault('a transaction did not do what the proof says');
    agree(m, judge.lines, walked, undecided.length > 0);
    return `every line of the ${m.statements.length} statements equals the sum of the chain's own balances`;
  });
  if (!agreed) return;
  for (const s of undecided)
    report.trust('undecided', `${s} is the wallet's, and the proof does not say what it was for`);
  for (const [i, key] of judge.direct.entries())
    if (key !== judge.direct[i - 1])
      report.trust(
        'market',
        `tokens were sold to ${key} itself, and not on a market: the reader takes it for a market`,
      );
}

/**
 * Judges the transactions that are named and not seen: late ones, of payments that an earlier proof
 * could not decide; all of them, when no history was walked and `seen` is null.
 */
async function seeNamed(
  { manifest: m, previous }: Run,
  node: Teller,
  judge: Judge,
  seen: ReadonlySet<string> | null,
): Promise<void> {
  const rest: Listed[] = [];
  for (const t of judge.named.values()) {
    if (seen?.has(t.signature) || (t.purpose === 'anchor' && m.walletsBefore.length > 0)) continue; // see moved
    if (seen && (t.purpose !== 'pay' || !previous || t.slot > previous.cut))
      throw new Fault(`${t.purpose}: ${t.signature} is in no history of the wallet, and is named`);
    rest.push(t);
  }
  for (const t of await read(node, rest)) {
    if (t.failed !== '') throw new Fault(`${t.signature}: it failed: ${t.failed}`);
    try {
      // The statements have late ones twice: as an adjustment that comes in, because they left before
      // the opening, and as what they were for.
      judge.see(t);
    } catch (cause) {
      throw within(t.signature, cause);
    }
  }
  const { lent, returned } = judge.receipts;
  if (lent !== m.receipts.lent || returned !== m.receipts.returned)
    throw new Fault(
      `${lent} lamports were lent to receipts and ${returned} returned, and ${m.receipts.lent} and ${m.receipts.returned} are stated`,
    );
}

/**
 * Throws when there is an anchor of another proof between the proof before and this one, or when the
 * one before does not say what this proof says of it. An anchor that no node told of is sent again,
 * with the same memo: both may land, and they tell one story.
 */
function checkSingle(
  { anchor, manifest: m, previous, previousAnchor }: Run,
  { transactions, anchors }: Walked,
): void {
  const told = [memoText(anchor)];
  if (previous && m.walletsBefore.length === 0) {
    const before = transactions.find((t) => t.signature === previousAnchor);
    if (!before) throw new Fault(`the anchor before, ${previousAnchor}, is in no history of the wallet`);
    const memo = memoOf(m, before);
    if (memo?.hash !== previousHash(m) || memo.number + 1n !== m.number)
      throw new Fault(
        `the anchor before, ${previousAnchor}, is of proof ${memo?.number} with the manifest ${memo?.hash}`,
      );
    told.push(memoText(memo));
  }
  const other = anchors.find(({ memo }) => !told.includes(memoText(memo)));
  if (other)
    throw new Fault(
      `${other.signature} is another anchor since the proof before: two stories were told, or one was dropped`,
    );
}
