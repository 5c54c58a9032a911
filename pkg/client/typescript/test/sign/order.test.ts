import { describe, expect, it } from 'vitest';
import { orderText } from '../../src/proof/order.js';
import { settingsText } from '../../src/sign/index.js';

const now = {
  ...{ version: 4, distributionInterval: '1h', rewardToken: 'SOL', minimumHoldingRequirement: '5' },
  ...{ percentageToSellPerDistribution: 50, burnPercent: 20, developerFeePercent: 10 },
  ...{ developerWallet: 'w', distributionEnabled: true },
};

describe('the text of settings', () => {
  it('is that of the next version, with what the change names', () => {
    expect(settingsText('m', now, { burnPercent: 25.5, telegramGroupId: null })).toEqual({
      version: 5,
      text: orderText('m', 5, { ...now, burnPercent: 25.5 }),
    });
  });
  it('is that of these where nothing changes', () => {
    const same = { version: 4, text: orderText('m', 4, now) };
    for (const change of [
      {},
      { burnPercent: 20 },
      { burnPercent: null, rewardToken: undefined },
      { rewardToken: 'So11111111111111111111111111111111111111112' },
    ])
      expect(settingsText('m', now, change), JSON.stringify(change)).toEqual(same);
  });
  it('names the reward basis where what was held before counts', () => {
    const { version, text } = settingsText('m', now, { rewardBasis: 'held' });
    expect(version).toBe(5);
    expect(text).toContain('Developer wallet: w\nReward basis: held\nEnabled: yes');
    const held = { ...now, rewardBasis: 'held' };
    expect(settingsText('m', held, { rewardBasis: 'snapshot' })).toEqual({
      version: 5,
      text: orderText('m', 5, now),
    });
  });
  it('names who shares what the creator gets, and is the same for the same splits', () => {
    const creatorSplits = [
      { wallet: 'a', percent: 70.01 },
      { wallet: 'b', percent: 29.99 },
    ];
    const { version, text } = settingsText('m', now, { creatorSplits });
    expect(version).toBe(5);
    expect(text).toContain(
      'Developer wallet: w\nCreator split: 7001 basis points to a\nCreator split: 2999 basis points to b\nEnabled: yes',
    );
    const split = { ...now, creatorSplits };
    expect(settingsText('m', split, { creatorSplits: structuredClone(creatorSplits) }).version).toBe(4);
    expect(settingsText('m', split, { creatorSplits: [] })).toEqual({
      version: 5,
      text: orderText('m', 5, now),
    });
  });
});
