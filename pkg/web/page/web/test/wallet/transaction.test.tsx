import '../token/page';
import { base64 } from '@scure/base';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { Problem } from 'tokenlaunch/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteDate } from '../../src/wallet/clock';
import type { Done, Plan } from '../../src/wallet/flow';
import type { Session } from '../../src/wallet/session';
import { Transaction } from '../../src/wallet/transaction';
import type { Review, Unsigned } from '../../src/wallet/unsigned';
import { address, BUDGET, build, transfer } from './build';

const me = address(1);
const start = Date.parse('2026-03-02T10:00:00.000Z');
// A day of promotion: half a lamport for each of ten units, and three tenths of a SOL.
const [recipient, reference] = [address(2), address(3)];
const budget = [
  { program: BUDGET, accounts: [], data: new Uint8Array([2, 10, 0, 0, 0]) },
  { program: BUDGET, accounts: [], data: new Uint8Array([3, 0x20, 0xa1, 7, 0, 0, 0, 0, 0]) },
];
const payment = (lamports: bigint) => {
  const pay = transfer(me, recipient, lamports);
  return build([me], [...budget, { ...pay, accounts: [...pay.accounts, reference] }]);
};
const bytes = payment(300_000_000n);
const lost = () => new Problem('unreachable', 'The service cannot be reached.', { retryAfter: 5 });

const unsigned = (more: Partial<Unsigned> = {}): Unsigned => ({
  transaction: base64.encode(bytes),
  expiresAt: new Date(start + 300_000).toISOString(),
  cost: { networkFeeLamports: '5005', depositLamports: '300000000', totalLamports: '300005005' },
  explanation: ['Limits it.', 'Offers a fee.', 'Pays.'],
  simulation: { ok: true },
  ...{ amount: '300000000', recipient, reference },
  ...more,
});

const signed = (given: Uint8Array) => {
  const copy = new Uint8Array(given);
  copy.fill(7, 1, 65);
  return copy;
};
const sign = vi.fn<Session['sign']>();
const prepare = vi.fn<(key: string) => Promise<Unsigned>>();
const finish =
  vi.fn<
    (u: Unsigned, s: string, tell: (t: string) => void, again: boolean) => Promise<{ signature: string }>
  >();
const done = vi.fn();
const session: Session = {
  wallet: me,
  token: 'jwt',
  expiresAt: '',
  sign: (t) => sign(t),
  signText: async () => new Uint8Array(64),
};

/** Shows the component as a page that was just opened does. */
function open(
  stamp = 'same',
  renew?: Plan<Unsigned, Done>['renew'],
  review?: Plan<Unsigned, Done>['review'],
) {
  cleanup();
  render(
    <Transaction
      kind="promotion"
      of="a token"
      stamp={stamp}
      session={session}
      title="Feature it"
      label="Prepare"
      back="Change"
      asked={() => ({ kind: 'promotion', durationDays: 1 })}
      prepare={prepare}
      finish={finish}
      {...(renew ? { renew } : {})}
      {...(review ? { review, again: 'You can prepare another launch' } : {})}
      onDone={done}
    />,
  );
}
const click = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(0);
};
const pass = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });
const shown = () => document.body.textContent ?? '';

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  localStorage.clear();
  for (const mock of [sign, prepare, finish, done]) mock.mockReset();
  sign.mockImplementation(async (t) => signed(t));
  prepare.mockImplementation(async () => unsigned());
  finish.mockResolvedValue({ signature: 'sig' });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const limited = (retryAfter: number) =>
  new Problem('rate_limit_exceeded', 'Too many requests: this route takes 5 per hour.', {
    status: 429,
    retryAfter,
  });

describe('a transaction', () => {
  it('is prepared, shown, signed and brought to its end', async () => {
    open();
    await click('Prepare');
    expect(shown()).toContain('0.300005005 SOL');
    expect(shown()).toContain('Pays.');
    expect(shown()).toContain('Time to sign: 5:00');
    await click('Sign and send');
    expect(finish).toHaveBeenCalledWith(unsigned(), base64.encode(signed(bytes)), expect.anything(), false);
    expect(done).toHaveBeenCalledTimes(1);
    expect(shown()).toContain('confirmed');
    expect(localStorage.length).toBe(0);
  });

  it('shows what the wallet changed', async () => {
    const [limit, price] = budget as [(typeof budget)[0], (typeof budget)[0]];
    const dearer = { ...price, data: new Uint8Array([3, 0x20, 0xa1, 8, 0, 0, 0, 0, 0]) };
    const pay = transfer(me, recipient, 300_000_000n);
    const changed = build([me], [limit, dearer, { ...pay, accounts: [...pay.accounts, reference] }]);
    sign.mockImplementation(async () => signed(changed));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(finish).toHaveBeenCalledWith(unsigned(), base64.encode(signed(changed)), expect.anything(), false);
    expect(shown()).toContain('Your wallet changed this before signing: priority fee of 0.000000006 SOL');
  });

  it('is there again after a reload, and is not made twice', async () => {
    open();
    await click('Prepare');
    open();
    expect(shown()).toContain('Pays.');
    await click('Sign and send');
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is not come back to when it was made of something else', async () => {
    open();
    await click('Prepare');
    open('other');
    expect(shown()).not.toContain('Pays.');
  });

  it('is gone on with after its answer was lost and the tab closed, also when something else was typed', async () => {
    finish.mockRejectedValueOnce(lost());
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(shown()).toContain('cannot be reached');
    open('other');
    expect(shown()).toContain('You have signed this');
    expect(screen.queryByRole('button', { name: 'Prepare' })).toBeNull();
    await click('Continue');
    expect(finish.mock.calls.map((c) => [c[1], c[3]])).toEqual([
      [base64.encode(signed(bytes)), false],
      [base64.encode(signed(bytes)), true],
    ]);
    expect(sign).toHaveBeenCalledTimes(1);
    expect(done).toHaveBeenCalledTimes(1);
    expect(localStorage.length).toBe(0);
  });

  it('continues automatically when the service is back', async () => {
    finish.mockRejectedValueOnce(lost());
    open();
    await click('Prepare');
    await click('Sign and send');
    await pass(4_900);
    expect(finish).toHaveBeenCalledTimes(1);
    await pass(200);
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is kept for the next sign-in when the session has run out', async () => {
    finish.mockRejectedValueOnce(new Problem('invalid_token', 'Sign in.', { status: 401 }));
    open();
    await click('Prepare');
    await click('Sign and send');
    open();
    await click('Continue');
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is dropped when it can never happen, and can be made again', async () => {
    finish.mockRejectedValueOnce(new Problem('transaction_expired', 'Too late.', { status: 400 }));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(shown()).toContain('Too late.');
    expect(localStorage.length).toBe(0);
    await click('Try again');
    expect(prepare).toHaveBeenCalledTimes(2);
    // Two requests, not one that is repeated.
    expect(prepare.mock.calls[0]?.[0]).not.toBe(prepare.mock.calls[1]?.[0]);
  });

  it('cannot be signed when its time is over', async () => {
    open();
    await click('Prepare');
    await pass(300_000);
    expect(shown()).toContain('The time to sign is over');
    expect(screen.queryByRole('button', { name: 'Sign and send' })).toBeNull();
    await click('Try again');
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it('is signed again when its blockhash is over, and only when it is the same', async () => {
    const again = new Uint8Array(bytes);
    const blockhash = 65 + 4 + 32 * (bytes[65 + 3] as number);
    again[blockhash] = (bytes[blockhash] as number) ^ 1;
    const fresh = {
      transaction: base64.encode(again),
      expiresAt: new Date(start + 60_000).toISOString(),
      lastValidBlockHeight: 8,
    };
    const told = (refresh: typeof fresh) =>
      new Problem('transaction_expired', 'Too late.', { status: 400, refresh });
    finish.mockRejectedValueOnce(told(fresh));
    prepare.mockImplementation(async () => unsigned({ lastValidBlockHeight: 7 }));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(shown()).toContain('sign again');
    await click('Sign and send');
    expect(finish.mock.calls.map((c) => [c[1], c[3]])).toEqual([
      [base64.encode(signed(bytes)), false],
      [base64.encode(signed(again)), false],
    ]);
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(done).toHaveBeenCalledTimes(1);

    const other = base64.encode(payment(300_000_001n));
    finish.mockRejectedValueOnce(told({ ...fresh, transaction: other }));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(shown()).toContain('another transaction');
    expect(screen.queryByRole('button', { name: 'Sign and send' })).toBeNull();
    expect(sign).toHaveBeenCalledTimes(3);
  });

  it('is renewed before it is signed, when it can be', async () => {
    const renew = vi.fn(async () => ({
      transaction: base64.encode(bytes),
      expiresAt: new Date(start + 90_000).toISOString(),
      lastValidBlockHeight: 8,
    }));
    prepare.mockImplementation(async () =>
      unsigned({ lastValidBlockHeight: 7, expiresAt: new Date(start + 30_000).toISOString() }),
    );
    open('same', renew);
    await click('Prepare');
    expect(shown()).toContain('Time to sign: 0:30');
    await pass(31_000);
    open('same', renew); // also after a reload
    await click('Sign and send');
    expect(renew).toHaveBeenCalledTimes(1);
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(done).toHaveBeenCalledTimes(1);
    open('same', renew);
    renew.mockRejectedValueOnce(new Problem('transaction_expired', 'It is over.', { status: 400 }));
    await click('Prepare');
    await pass(31_000);
    await click('Sign and send');
    expect(shown()).toContain('It is over.');
    expect(sign).toHaveBeenCalledTimes(1);
    expect(localStorage.length).toBe(0);
  });

  it('waits for a limit that is soon over, and is the same request then', async () => {
    prepare.mockRejectedValueOnce(limited(60));
    open();
    await click('Prepare');
    expect(shown()).toContain('Too many requests in a short time.Trying again in 1:00');
    await pass(60_000);
    expect(prepare).toHaveBeenCalledTimes(2);
    expect(prepare.mock.calls[0]?.[0]).toBe(prepare.mock.calls[1]?.[0]);
    expect(shown()).toContain('Pays.');
  });

  it('is not made behind its owner’s back after a limit that takes long', async () => {
    prepare.mockRejectedValueOnce(limited(2_520));
    open();
    await click('Prepare');
    expect(shown()).toContain('You can try again in 42 minutes.');
    await pass(2_461_000);
    expect(shown()).toContain('You can try again in 59 seconds.');
    await pass(60_000);
    expect(shown()).toContain('You can try again now.');
    expect(prepare).toHaveBeenCalledTimes(1);
    await click('Try again');
    expect(shown()).toContain('Pays.');
  });

  it('is not made when another tab has had one signed', async () => {
    finish.mockRejectedValueOnce(lost());
    open();
    await click('Prepare');
    const ready = localStorage.getItem(localStorage.key(0) ?? '') ?? '';
    await click('Sign and send');
    const held = localStorage.getItem(localStorage.key(0) ?? '') ?? '';
    const key = localStorage.key(0) ?? '';
    // This tab was opened before the other one signed, empty or with one of its own.
    localStorage.clear();
    open();
    localStorage.setItem(key, held);
    await click('Prepare');
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(shown()).toContain('You have signed this');
    localStorage.setItem(key, ready);
    open();
    localStorage.setItem(key, held);
    await click('Sign and send');
    expect(sign).toHaveBeenCalledTimes(1);
    expect(shown()).toContain('You have signed this');
  });

  it('is asked for once, however often the button is pressed', async () => {
    open();
    const button = screen.getByRole('button', { name: 'Prepare' });
    fireEvent.click(button);
    fireEvent.click(button);
    await pass(0);
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('has the service’s time, whatever this device’s clock says', async () => {
    noteDate(new Date(start - 3_600_000).toUTCString());
    prepare.mockResolvedValue(unsigned({ expiresAt: new Date(start - 3_300_000).toISOString() }));
    open();
    await click('Prepare');
    expect(shown()).toContain('Time to sign: 5:00');
    noteDate(new Date(start).toUTCString());
  });

  it('is made again when there is too little time left to sign it, and shown when it is not the same', async () => {
    const until = (seconds: number, more: Partial<Unsigned> = {}) =>
      unsigned({
        expiresAt: new Date(start + seconds * 1_000).toISOString(),
        lastValidBlockHeight: 9,
        ...more,
      });
    prepare.mockResolvedValueOnce(until(32));
    open();
    await click('Prepare');
    await pass(20_000);
    prepare.mockResolvedValueOnce(
      until(52, {
        cost: { networkFeeLamports: '5006', depositLamports: '300000000', totalLamports: '300005006' },
      }),
    );
    await click('Sign and send');
    expect(prepare).toHaveBeenCalledTimes(2);
    expect(sign).not.toHaveBeenCalled(); // it costs more
    await pass(20_000);
    prepare.mockResolvedValueOnce(until(72, { explanation: ['Limits it.', 'Offers a fee.', 'Pays more.'] }));
    await click('Sign and send');
    expect(sign).not.toHaveBeenCalled(); // it does something else
    await pass(20_000);
    const last = until(92, { explanation: ['Limits it.', 'Offers a fee.', 'Pays more.'] });
    prepare.mockResolvedValueOnce(last);
    await click('Sign and send');
    expect(sign).toHaveBeenCalledTimes(1);
    expect(finish.mock.calls[0]?.[0]).toBe(last);
    expect(new Set(prepare.mock.calls.map(([key]) => key)).size).toBe(4);
  });

  it('is not made again while there is time, nor where the service decides how long there is', async () => {
    prepare.mockResolvedValueOnce(unsigned({ expiresAt: new Date(start + 5_000).toISOString() }));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect([prepare.mock.calls.length, sign.mock.calls.length]).toEqual([1, 1]);
  });

  it('may be asked for again where the wallet does not answer, and is sent once', async () => {
    const answers: ((t: Uint8Array) => void)[] = [];
    sign.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    open();
    await click('Prepare');
    await click('Sign and send');
    await click('No prompt? Ask again');
    for (const answer of answers) answer(signed(bytes));
    await pass(0);
    expect(answers).toHaveLength(2);
    expect(finish).toHaveBeenCalledTimes(1);
  });

  it('is not shown to the wallet when it is not what was asked for', async () => {
    const other = build([address(5)], [transfer(address(5), me, 1n)]);
    prepare.mockResolvedValue(unsigned({ transaction: base64.encode(other) }));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(sign).not.toHaveBeenCalled();
    expect(shown()).toContain('its fee is paid by');
  });

  it('stays when its owner does not want to sign', async () => {
    sign.mockRejectedValueOnce(new Error('User rejected the request.'));
    open();
    await click('Prepare');
    await click('Sign and send');
    expect(shown()).toContain('You did not sign');
    await click('Sign and send');
    expect(done).toHaveBeenCalledTimes(1);
  });
});

describe('a transaction that is reviewed first', () => {
  const review = vi.fn<() => Promise<Review>>();
  beforeEach(() => {
    review.mockReset();
    review.mockImplementation(async () => {
      const { cost } = unsigned();
      return { cost, explanation: ['Creates the mint account (not made yet).'] };
    });
  });
  const reviewed = (stamp = 'same') => open(stamp, undefined, review);

  it('is created when its owner proceeds to sign, and read again before the wallet asks', async () => {
    reviewed();
    await click('Prepare');
    expect(shown()).toContain('What it would cost you now');
    expect(shown()).toContain('0.300005005 SOL');
    expect(shown()).toContain('(not made yet)');
    expect(screen.queryByRole('button', { name: 'Sign and send' })).toBeNull();
    expect(prepare).not.toHaveBeenCalled();
    await click('Continue to sign');
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(sign).not.toHaveBeenCalled();
    expect(shown()).toContain('What it costs you');
    expect(shown()).toContain('Pays.');
    await click('Sign and send');
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('costs no creation, however often it is reviewed and edited', async () => {
    for (let i = 0; i < 6; i++) {
      reviewed(`edit ${i}`);
      await click('Prepare');
      await click('Change');
    }
    expect(review).toHaveBeenCalledTimes(6);
    expect(prepare).not.toHaveBeenCalled();
  });

  it('stays created when it is edited back, and is created again when it is another one', async () => {
    reviewed();
    await click('Prepare');
    await click('Continue to sign');
    await click('Change');
    await click('Prepare');
    expect(shown()).toContain('Time to sign: 5:00');
    await click('Change');
    reviewed('other');
    await click('Prepare');
    expect(shown()).toContain('(not made yet)');
    reviewed();
    expect(shown()).toContain('Time to sign: 5:00');
    expect([review.mock.calls.length, prepare.mock.calls.length]).toEqual([2, 1]);
    await pass(300_000);
    expect(shown()).toContain('The time to sign is over');
    await click('Try again');
    expect(shown()).toContain('(not made yet)');
    await click('Continue to sign');
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it('keeps what was reviewed when too many were created, and says when another can be', async () => {
    prepare.mockRejectedValueOnce(limited(1_571));
    reviewed();
    await click('Prepare');
    await click('Continue to sign');
    expect(shown()).toContain('You can prepare another launch in 27 minutes.');
    expect(shown()).not.toContain('this route');
    expect(shown()).toContain('(not made yet)');
    await pass(1_571_000);
    expect(prepare).toHaveBeenCalledTimes(1);
    await click('Continue to sign');
    expect(shown()).toContain('What it costs you');
  });

  it('can be edited when the check or the creation refuses it', async () => {
    review.mockRejectedValueOnce(new Problem('validation_failed', 'Not like this.', { status: 400 }));
    reviewed();
    await click('Prepare');
    expect(shown()).toContain('Not like this.');
    await click('Try again');
    prepare.mockRejectedValueOnce(new Problem('content_blocked', 'Not this name.', { status: 403 }));
    await click('Continue to sign');
    expect(shown()).toContain('Not this name.');
    expect(screen.queryByRole('button', { name: 'Continue to sign' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('is not reviewed when another tab has had one signed', async () => {
    finish.mockRejectedValueOnce(lost());
    reviewed();
    await click('Prepare');
    await click('Continue to sign');
    await click('Sign and send');
    const [key, held] = [localStorage.key(0) ?? '', localStorage.getItem(localStorage.key(0) ?? '') ?? ''];
    localStorage.clear();
    reviewed('other');
    localStorage.setItem(key, held);
    await click('Prepare');
    expect(review).toHaveBeenCalledTimes(1);
    expect(shown()).toContain('You have signed this');
  });
});
