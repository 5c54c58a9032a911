import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Telegram } from '../../src/rewards/telegram';
import type { Session } from '../../src/wallet/session';
import { examples } from '../token/examples';
import { service } from '../token/service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { wallet } = examples.ledger;
const session = { wallet, token: 'token' } as Session;
const path = `/holders/${wallet}/telegram/link`;
const code = `${wallet}_QK5ZJ7VN4T2LWXO6`;

/** Gets a code from a service with this bot. */
function got(bot: string | null, linked: boolean): string[] {
  const url = bot && `https://t.me/${bot}?start=${code}`;
  const body = { code, command: `/link ${code}`, expiresAt: '2026-03-03T10:24:31.118Z', linked, bot, url };
  const asked = service((at) => (at.pathname === path ? { status: 200, body } : undefined));
  render(<Telegram session={session} />);
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Get a code' }));
  return asked;
}

it('opens the chat with the code, and shows the message for other devices', async () => {
  const asked = got('PaperCraneBot', false);
  const link = await screen.findByRole('link', { name: 'Open Telegram' });
  expect(link.getAttribute('href')).toBe(`https://t.me/PaperCraneBot?start=${code}`);
  screen.getByText(`/link ${code}`);
  expect(screen.queryByText(/linked already/)).toBeNull();
  expect(asked).toEqual([path]);
});

it('works before the bot has a name, and tells of a chat that is linked', async () => {
  got(null, true);
  await screen.findByText(/linked already/);
  expect(screen.queryByRole('link')).toBeNull();
  screen.getByText(/the service’s bot/);
});

describe('ending the messages', () => {
  const button = () => screen.getByRole('button', { name: 'End the messages' });

  it('unlinks the wallet, and forgets a code that is shown', async () => {
    const methods: string[] = [];
    const link = { code, command: `/link ${code}`, expiresAt: '', linked: true, bot: null, url: null };
    vi.stubGlobal('fetch', async (request: Request) => {
      methods.push(
        `${request.method} ${new URL(request.url).pathname} ${request.headers.get('Authorization')}`,
      );
      return Response.json(request.method === 'POST' ? link : { wallet, unlinked: true });
    });
    render(<Telegram session={session} />);
    fireEvent.click(screen.getByRole('button', { name: 'Get a code' }));
    await screen.findByText(`/link ${code}`);
    fireEvent.click(button());
    await screen.findByText(/not linked to a chat/);
    expect(screen.queryByText(`/link ${code}`)).toBeNull();
    expect(methods).toEqual([`POST ${path} Bearer token`, `DELETE ${path} Bearer token`]);
    fireEvent.click(screen.getByRole('button', { name: 'Get a code' }));
    await screen.findByText(`/link ${code}`);
    expect(screen.queryByText(/not linked to a chat/)).toBeNull();
  });

  it('says so when the service does not answer, and claims nothing', async () => {
    service((at) => (at.pathname === path ? { status: 500, body: {} } : undefined));
    render(<Telegram session={session} />);
    fireEvent.click(button());
    await screen.findByText(/nothing has changed/);
    expect(screen.queryByText(/not linked to a chat/)).toBeNull();
  });
});
