import '../token/page';
import { base58 } from '@scure/base';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { orderText } from 'tokenlaunch/proof';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkers } from '../../src/form/document';
import { order, type Settings } from '../../src/mine/change';
import { SettingsForm } from '../../src/mine/form';
import { Pause } from '../../src/mine/pause';
import { Telegram } from '../../src/mine/telegram';
import type { Session } from '../../src/wallet/session';
import { document_, examples } from '../token/examples';

const session = {
  wallet: examples.token.creator,
  token: 'jwt',
  expiresAt: '',
  sign: async (t) => t,
  signText: async (text) => {
    asked.push(text);
    if (refuses) throw new Error('User rejected the request.');
    return new Uint8Array(64).fill(7);
  },
} satisfies Session;
const checker = checkers(document_)('SettingsChange');
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

/** A service with settings that others may change; `fails` is the response to the next change. */
let service: Settings;
let fails: Response | null;
let sent: { method: string; path: string; body: unknown; order?: Schemas['SettingsOrder'] }[];
/** What the wallet was asked to sign, and whether its owner refuses. */
let asked: string[];
let refuses: boolean;

beforeEach(() => {
  localStorage.clear();
  service = {
    ...examples.token.settings,
    effectiveAt: new Date(Date.now() + 22.5 * 60_000).toISOString(),
    version: 3,
    orderedByCreator: false,
    telegramLinked: false,
  };
  fails = null;
  sent = [];
  asked = [];
  refuses = false;
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (request.method === 'GET')
      return path.endsWith('/runs') ? json({ runs: [], nextCursor: null }) : json(service);
    const text = await request.text();
    const { order, ...body } = text ? JSON.parse(text) : {};
    sent.push({ method: request.method, path, body, ...(order ? { order } : {}) });
    if (fails) {
      const answer = fails;
      fails = null;
      return answer;
    }
    if (path.endsWith('/telegram/link'))
      return json({
        code: 'CODE',
        command: '/link@CraneBot CODE',
        expiresAt: '2026-03-03T10:24:31.118Z',
        telegramGroupId: '@crane_holders',
        telegramLinked: false,
        bot: 'CraneBot',
      });
    if (path.endsWith('/telegram/test'))
      return json({ queued: true, telegramGroupId: '@crane_holders' }, 202);
    const version = service.version + (Object.keys(body).length > 0 ? 1 : 0);
    if (order && order.version !== version)
      return json({ code: 'settings_version_conflict', detail: `It is version ${service.version}.` }, 409);
    service = { ...service, ...body, version, orderedByCreator: order !== undefined };
    return json(service);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Desk(props: { part?: 'pause' }) {
  const [settings, set] = useState<Settings>(service);
  const common = { session, token: examples.token, settings, onSettings: set };
  return props.part ? <Pause {...common} /> : <SettingsForm {...common} checker={checker} />;
}
const burn = () => screen.getByLabelText(/^Share to burn/) as HTMLInputElement;
const save = () => screen.getByRole('button', { name: 'Save changes' }) as HTMLButtonElement;
const type = (value: string) => fireEvent.input(burn(), { target: { value } });

describe('the form of the settings', () => {
  it('sends what changed and nothing else, and says from when it holds', async () => {
    render(<Desk />);
    expect(save().disabled).toBe(true);
    type('25');
    fireEvent.click(save());
    await screen.findByText(/^Saved\. Takes effect with the next distribution, .*\(in 23 min\)/);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: `/distribution/${examples.token.mintAddress}/settings`,
        body: { burnPercent: 25 },
        order: { version: 4, signature: base58.encode(new Uint8Array(64).fill(7)) },
      },
    ]);
    expect(asked).toEqual([orderText(examples.token.mintAddress, 4, service)]);
    expect([save().disabled, localStorage.length]).toEqual([true, 0]);
  });
  it('says at once what is wrong, and sends nothing', () => {
    render(<Desk />);
    type('101');
    fireEvent.blur(burn());
    screen.getByText('Enter a number from 0 to 100.');
    fireEvent.click(save());
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(burn());
  });
  it('keeps what was written over a reload and a failed save', async () => {
    const first = render(<Desk />);
    type('25');
    fails = json({ code: 'rate_limit_exceeded', detail: 'Too many requests.', retryAfter: 600 }, 429);
    fireEvent.click(save());
    await screen.findByText('Too many requests in a short time.');
    screen.getByText(/Try again in (10:0|9:5)/);
    first.unmount();
    render(<Desk />);
    expect(burn().value).toBe('25');
    fireEvent.click(save());
    await screen.findByText(/^Saved/);
    expect(sent.map((s) => s.body)).toEqual([{ burnPercent: 25 }, { burnPercent: 25 }]);
  });
  it("shows the service's error of a field next to the field", async () => {
    render(<Desk />);
    type('25');
    const errors = [{ field: 'burnPercent', code: 'invalid_percentage', message: 'Not today.' }];
    fails = json({ code: 'validation_failed', detail: 'One field is not valid.', errors }, 400);
    fireEvent.click(save());
    await screen.findByText('Not today.');
    expect(burn().getAttribute('aria-invalid')).toBe('true');
    expect(burn().value).toBe('25');
  });
  it('asks before it writes over a change that was made elsewhere', async () => {
    render(<Desk />);
    type('25');
    service = { ...service, burnPercent: 30 };
    fireEvent.click(save());
    await screen.findByText(/was changed elsewhere/);
    expect([sent, save().disabled]).toEqual([[], true]);
    fireEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    fireEvent.click(save());
    await screen.findByText(/^Saved/);
    expect(service.burnPercent).toBe(25);
  });
  it('takes the change that was made elsewhere', async () => {
    render(<Desk />);
    type('25');
    service = { ...service, burnPercent: 30 };
    fireEvent.click(save());
    fireEvent.click(await screen.findByRole('button', { name: 'Use the new value' }));
    expect([burn().value, sent, save().disabled]).toEqual(['30', [], true]);
  });
  it('leaves other fields alone that others changed', async () => {
    render(<Desk />);
    type('25');
    service = { ...service, distributionInterval: '5m' };
    fireEvent.click(save());
    await screen.findByText(/^Saved/);
    expect(sent.map((s) => s.body)).toEqual([{ burnPercent: 25 }]);
    expect((screen.getByLabelText(/^Payout interval/) as HTMLSelectElement).value).toBe('5m');
  });
});

describe('the signature of the creator', () => {
  it('may be refused, and then left out', async () => {
    render(<Desk />);
    type('25');
    refuses = true;
    fireEvent.click(save());
    await screen.findByText(/did not sign, so nothing was saved yet\. It said: User rejected/);
    expect([sent, burn().value]).toEqual([[], '25']);
    fireEvent.click(screen.getByRole('button', { name: 'Save without signing' }));
    await screen.findByText(/^Saved/);
    expect(sent.map((s) => [s.body, s.order])).toEqual([[{ burnPercent: 25 }, undefined]]);
    screen.getByText(/^Version 4 .* is not signed/);
  });
  it('may be refused and given after all', async () => {
    render(<Desk />);
    type('25');
    refuses = true;
    fireEvent.click(save());
    await screen.findByRole('button', { name: 'Save without signing' });
    refuses = false;
    fireEvent.click(save());
    await screen.findByText(/^Version 4 .* is signed by your wallet/);
    expect(screen.queryByRole('button', { name: 'Save without signing' })).toBeNull();
    expect(asked.length).toBe(2);
  });
  it('is of the resulting settings, whatever else was changed', async () => {
    render(<Desk />);
    type('25');
    service = { ...service, distributionInterval: '5m', version: 7 };
    fireEvent.click(save());
    await screen.findByText(/^Saved/);
    expect(sent[0]?.order?.version).toBe(8);
    expect(asked).toEqual([orderText(examples.token.mintAddress, 8, service)]);
    expect(asked[0]).toContain('Interval: 5m\n');
  });
  it('says SOL for wrapped SOL, as the service does', async () => {
    const wrapped = 'So11111111111111111111111111111111111111112';
    service = { ...service, rewardToken: examples.token.mintAddress };
    await order(session, examples.token.mintAddress, service, { rewardToken: wrapped });
    expect(asked[0]).toContain('Reward token: SOL\n');
    const same = await order(
      session,
      examples.token.mintAddress,
      { ...service, rewardToken: 'SOL' },
      { rewardToken: wrapped },
    );
    expect(same.version).toBe(3);
  });
  it('may be of unchanged settings', async () => {
    render(<Desk />);
    fireEvent.click(screen.getByRole('button', { name: 'Sign settings' }));
    await screen.findByText(/^Version 3 .* is signed by your wallet/);
    expect(sent.map((s) => [s.body, s.order?.version])).toEqual([[{}, 3]]);
    expect(asked).toEqual([orderText(examples.token.mintAddress, 3, service)]);
  });
  it('is not asked for what the creator has not seen', async () => {
    render(<Desk />);
    service = { ...service, burnPercent: 30, version: 4 };
    fireEvent.click(screen.getByRole('button', { name: 'Sign settings' }));
    await screen.findByText(/^Version 4 .* is not signed/);
    expect([asked, sent, burn().value]).toEqual([[], [], '30']);
  });
  it('is of what was seen, also where the service says something else under the same version', async () => {
    render(<Desk />);
    const seen = service;
    service = { ...service, developerWallet: examples.token.mintAddress };
    fireEvent.click(screen.getByRole('button', { name: 'Sign settings' }));
    await screen.findByText(/^Version 3 .* is signed by your wallet/);
    expect(asked).toEqual([orderText(examples.token.mintAddress, 3, seen)]);
  });
  it('is of a pause, too, and may be left out', async () => {
    render(<Desk part="pause" />);
    refuses = true;
    fireEvent.click(screen.getByRole('button', { name: 'Pause distributions' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Save without signing' }));
    await screen.findByText('Distributions paused.');
    refuses = false;
    fireEvent.click(screen.getByRole('button', { name: 'Resume distributions' }));
    await screen.findByText('Distributions resumed.');
    expect(sent.map((s) => s.order?.version)).toEqual([undefined, 5]);
    expect(asked.map((text) => text.split('\n').at(-1))).toEqual(['Enabled: no', 'Enabled: yes']);
  });
});

describe('pausing', () => {
  it('stops and resumes, and shows what happens to the tax', async () => {
    render(<Desk part="pause" />);
    screen.getByText(/Tax is still taken, and waits/);
    fireEvent.click(screen.getByRole('button', { name: 'Pause distributions' }));
    await screen.findByText('Distributions paused.');
    screen.getByText(/the first distribution pays it out/);
    fireEvent.click(screen.getByRole('button', { name: 'Resume distributions' }));
    await screen.findByText('Distributions resumed.');
    expect(sent.map((s) => s.body)).toEqual([{ distributionEnabled: false }, { distributionEnabled: true }]);
  });
  it('stays as it was when the service does not answer', async () => {
    render(<Desk part="pause" />);
    fails = json({ code: 'upstream_unavailable', detail: 'The store does not answer.', retryAfter: 5 }, 503);
    fireEvent.click(screen.getByRole('button', { name: 'Pause distributions' }));
    await screen.findByText('The store does not answer.');
    screen.getByRole('button', { name: 'Pause distributions' });
  });
});

const group = (telegramGroupId: string, telegramLinked: boolean) => (
  <Telegram
    session={session}
    mint={examples.token.mintAddress}
    settings={{ ...service, telegramGroupId, telegramLinked }}
    onSettings={(now) => told.push(now.telegramLinked)}
  />
);
const told: boolean[] = [];

describe('the Telegram group', () => {
  it('is linked by a code that an administrator posts', async () => {
    service = { ...service, telegramGroupId: '@crane_holders', telegramLinked: true };
    render(group('@crane_holders', false));
    expect(screen.queryByRole('button', { name: 'Send a test message' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Get a code' }));
    await screen.findByText('/link@CraneBot CODE');
    expect(sent[0]?.path).toBe(`/distribution/${examples.token.mintAddress}/telegram/link`);
    fireEvent.click(screen.getByRole('button', { name: 'I have posted it' }));
    await waitFor(() => expect(told).toEqual([true]));
  });
  it('says where the message goes', async () => {
    render(group('@crane_holders', true));
    fireEvent.click(screen.getByRole('button', { name: 'Send a test message' }));
    await screen.findByText(/on its way to/);
    expect(sent[0]?.path).toBe(`/distribution/${examples.token.mintAddress}/telegram/test`);
  });
  it('cannot be made without a group', () => {
    render(group('', false));
    expect(screen.queryByRole('button')).toBeNull();
  });
});
