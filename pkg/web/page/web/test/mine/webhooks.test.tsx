import '../token/page';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delivery, Webhook } from '../../src/mine/webhooks/calls';
import { Webhooks } from '../../src/mine/webhooks/panel';
import { outcome } from '../../src/mine/webhooks/words';
import type { Session } from '../../src/wallet/session';
import { document_, examples } from '../token/examples';

const session = {
  wallet: examples.token.creator,
  token: 'jwt',
  expiresAt: '',
  sign: async (t) => t,
  signText: async () => new Uint8Array(64),
} satisfies Session;
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const problem = (status: number, code: string, detail: string) => json({ status, code, detail }, status);

const post = document_.paths['/webhooks'].post;
const made = post.responses['200'].content['application/json'].example;
const listed = document_.paths['/webhooks/{webhookId}/deliveries'].get.responses['200'].content[
  'application/json'
].example as { deliveries: Delivery[] };
const delivery = listed.deliveries[0] as Delivery;
const hook: Webhook = {
  webhookId: made.webhookId,
  url: 'https://hooks.crane.example/tokenlaunch',
  events: ['run.settled'],
  mints: [],
  status: 'active',
  createdAt: '2026-03-02T11:00:00.000Z',
};

/** What the service has, what it was asked, and what the next call that changes something is answered. */
let hooks: Webhook[];
let sent: { call: string; body?: unknown }[];
let fails: Response | null;

beforeEach(() => {
  sessionStorage.clear();
  hooks = [];
  sent = [];
  fails = null;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') {
      if (pathname === '/webhooks') return json({ webhooks: hooks });
      if (pathname.endsWith('/deliveries')) return json(listed);
      return json({ tokens: [{ ...examples.token, status: 'confirmed' }], pagination: {} });
    }
    const text = await request.text();
    sent.push({ call: `${request.method} ${pathname}`, ...(text ? { body: JSON.parse(text) } : {}) });
    if (fails) {
      const answer = fails;
      fails = null;
      return answer;
    }
    if (request.method === 'DELETE') {
      hooks = [];
      return json({ webhookId: made.webhookId, deleted: true });
    }
    if (pathname !== '/webhooks') return json({ queued: true, deliveryId: delivery.deliveryId }, 202);
    hooks = [{ ...hook, ...JSON.parse(text), mints: JSON.parse(text).mints ?? [], status: 'pending' }];
    return json(made);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const url = () => screen.getByLabelText('URL') as HTMLInputElement;
const type = (value: string) => fireEvent.input(url(), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const show = async () => {
  render(<Webhooks session={session} />);
  await screen.findByText(hooks.length > 0 ? hook.url : 'No webhooks yet.');
};

describe('webhooks', () => {
  it('adds one for all tokens, and shows its secret once', async () => {
    await show();
    type(hook.url);
    press('Add webhook');
    await screen.findByText(made.secret);
    expect(sent).toEqual([
      { call: 'POST /webhooks', body: { url: hook.url, events: ['run.settled', 'run.failed'] } },
    ]);
    await screen.findByText('Waiting for an answer');
    screen.getByText('{"challenge": "…"}');
    expect([url().value, sessionStorage.length]).toEqual(['', 0]);
    press('I have stored it');
    expect(screen.queryByText(made.secret)).toBeNull();
  });
  it('adds one for the tokens that were chosen', async () => {
    await show();
    type(hook.url);
    fireEvent.change(screen.getByLabelText('Tokens'), { target: { value: 'chosen' } });
    const token = await screen.findByLabelText(`${examples.token.name} (${examples.token.symbol})`);
    press('Add webhook');
    await screen.findByText('Choose at least one token.');
    expect(sent).toEqual([]);
    fireEvent.click(token);
    press('Add webhook');
    await screen.findByText(made.secret);
    expect(sent[0]?.body).toMatchObject({ mints: [examples.token.mintAddress] });
  });
  it('says at once what is missing, and sends nothing', async () => {
    await show();
    press('Add webhook');
    await screen.findByText('Enter the address of your receiver.');
    expect(document.activeElement).toBe(url());
    type(hook.url);
    fireEvent.click(screen.getByLabelText('Distribution done'));
    fireEvent.click(screen.getByLabelText('Distribution failed or skipped'));
    press('Add webhook');
    await screen.findByText('Choose at least one event.');
    expect(sent).toEqual([]);
  });
  it('says at the field why a URL is not allowed, and keeps what was typed', async () => {
    await show();
    type('https://10.0.0.1/');
    fails = problem(400, 'url_not_allowed', 'The address is private.');
    press('Add webhook');
    await screen.findByText('The address is private.');
    expect([url().getAttribute('aria-invalid'), url().value]).toEqual(['true', 'https://10.0.0.1/']);
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('shows what to do when the answer with the secret was lost', async () => {
    await show();
    type(hook.url);
    fails = problem(503, 'upstream_unavailable', 'A store does not answer.');
    press('Add webhook');
    await screen.findByText(/its secret is lost: delete it and add it again/);
  });
  it('says when there are five', async () => {
    hooks = [1, 2, 3, 4, 5].map((n) => ({
      ...hook,
      webhookId: `${n}`,
      url: n === 1 ? hook.url : `${hook.url}${n}`,
    }));
    await show();
    screen.getByText(/Delete one to add another/);
    expect(screen.queryByLabelText('URL')).toBeNull();
  });
  it('reports that the list cannot be had', async () => {
    vi.stubGlobal('fetch', async () => problem(503, 'upstream_unavailable', 'A store does not answer.'));
    render(<Webhooks session={session} />);
    await screen.findByText('A store does not answer.');
    screen.getByRole('button', { name: 'Try now' });
    expect([screen.queryByText('No webhooks yet.'), screen.queryByLabelText('URL')]).toEqual([null, null]);
  });
  it('tests one, lists its deliveries, and sends one again', async () => {
    hooks = [hook];
    await show();
    press('Send a test');
    await screen.findByText(/A test message is on its way/);
    press('Deliveries');
    const again = await screen.findByRole('button', { name: /^Send again: Distribution done/ });
    screen.getByText(delivery.lastError as string);
    fireEvent.click(again);
    await screen.findByText(/It is on its way again/);
    const path = `POST /webhooks/${hook.webhookId}`;
    expect(sent.map((s) => s.call)).toEqual([
      `${path}/test`,
      `${path}/deliveries/${delivery.deliveryId}/replay`,
    ]);
  });
  it('sends a challenge to one that is disabled, and replays nothing of it', async () => {
    hooks = [{ ...hook, status: 'disabled' }];
    await show();
    screen.getByText(/Nothing is sent to it/);
    press('Deliveries');
    await screen.findByText(delivery.lastError as string);
    expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
    press('Send a challenge');
    await screen.findByText(/A challenge is on its way/);
  });
  it('deletes one only when that is confirmed', async () => {
    hooks = [hook];
    await show();
    press('Delete');
    const question = screen.getByRole('group', { name: 'Delete this webhook?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Keep it' }));
    expect([sent, screen.queryByRole('group', { name: 'Delete this webhook?' })]).toEqual([[], null]);
    press('Delete');
    press('Delete webhook');
    await screen.findByText('Webhook deleted.');
    expect(sent.map((s) => s.call)).toEqual([`DELETE /webhooks/${hook.webhookId}`]);
    expect(screen.queryByText(hook.url)).toBeNull();
  });
});

describe('the outcome of a delivery', () => {
  const now = Date.parse('2026-03-02T11:05:00Z');
  it.each([
    [{ attempts: 0 }, 'On its way.'],
    [{ attempts: 1 }, /^Not delivered yet\. Sent once; next attempt .*\(in 2 min\)\.$/],
    [
      { nextAttemptAt: '2026-03-02T11:04:00Z' },
      'Not delivered yet. Sent 2 times; the next attempt is due now.',
    ],
    [{ status: 'delivered', deliveredAt: '2026-03-02T11:03:00Z' }, /^Delivered .*2026.*\.$/],
    [{ status: 'failed', attempts: 12 }, 'Failed. Sent 12 times; it is not sent again automatically.'],
  ] as [Partial<Delivery>, string | RegExp][])('%j', (change, text) => {
    expect(outcome({ ...delivery, ...change }, now)).toMatch(text);
  });
});
