import type { Schemas } from 'tokenlaunch/api';

type Preview = Schemas['RunPreview'];

/** Returns a remark on the next distribution; null for an ordinary distribution. */
export function remark(
  p: Pick<Preview, 'scheduledAt' | 'slice' | 'sell' | 'burn' | 'holders' | 'price' | 'rest'>,
): string | null {
  const paused = p.scheduledAt === null;
  const empty = p.sell === '0' && p.burn === '0';
  if (paused && empty) return 'Paused by the creator. Tax is still collected; none has come in yet.';
  if (paused)
    return 'Paused by the creator. Tax is still collected, and is paid out once distributions resume.';
  if (p.rest?.code === 'no_market')
    return 'There is no market to sell the tax on, so it waits until there is one.';
  if (p.rest?.code === 'below_cost')
    return 'The collected tax is worth less than paying it out would cost, so it waits for more.';
  if (empty) return 'Nothing to pay out yet: no tax has come in since the last distribution.';
  if (p.sell === '0') return 'All of it is burned, so there is no reward.';
  if (p.holders === null) return 'The reward amount is known after the first sale.';
  return null;
}
