import type { Schemas } from '../../api/client';

type Preview = Schemas['RunPreview'];

/** What is special about the next distribution; null when there is something to share out. */
export function remark(
  p: Pick<Preview, 'slot' | 'slice' | 'sell' | 'burn' | 'holders' | 'price' | 'rest'>,
): string | null {
  const paused = p.slot === null;
  const empty = p.sell === '0' && p.burn === '0';
  if (paused && empty) return 'Paused by the creator. The tax goes on collecting; nothing has come in yet.';
  if (paused)
    return 'Paused by the creator. The tax goes on collecting, and what has come in is shared out once it is switched on again.';
  if (p.rest?.code === 'no_market')
    return 'There is no market on which the tax could be sold, so it waits. It is shared out when there is one.';
  if (p.rest?.code === 'below_cost')
    return 'What has come in is worth less than sharing it out would cost, so it waits for more.';
  if (empty) return 'There is nothing to share out yet: no tax has come in since the last distribution.';
  if (p.sell === '0') return 'Everything is burned, so there is no reward.';
  if (p.holders === null) return 'How much the reward will be is known after the first sale.';
  return null;
}
