import './token/page';
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Page } from '../src/pages/about';
import { at, service } from './token/service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('how it works', () => {
  it('tells the status in words, with the reasons', async () => {
    const part = (status: string) => ({ status });
    service(
      at('/status', {
        status: 'degraded',
        reasons: ['The newest final block is 120 seconds old.'],
        at: '2026-03-02T10:15:00.000Z',
        ageSeconds: 24,
        parts: {
          api: part('ok'),
          chain: part('degraded'),
          launches: part('ok'),
          distributions: part('ok'),
          notices: part('ok'),
          pins: part('unknown'),
        },
      }),
    );
    const { container } = render(<Page />);
    expect(await screen.findByText('It works, but something is late.')).toBeTruthy();
    expect(screen.getByText('The newest final block is 120 seconds old.')).toBeTruthy();
    expect(container.textContent).toContain('Keeping proofs on IPFSNot known');
    for (const id of ['how', 'fees', 'questions', 'status'])
      expect(container.querySelector(`#${id}`)).toBeTruthy();
  });
});
