import '../token/page';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkers, type Document } from '../../src/form/document';
import { usdc } from '../../src/form/usdc';
import { toBody } from '../../src/launch/body';
import { empty, type Fields } from '../../src/launch/draft';
import { afterTax, curvePrices, price } from '../../src/launch/price';
import { doubts, summary } from '../../src/launch/words';

// The document that the service serves.
const document = JSON.parse(
  readFileSync('../../../api/endpoint/docs/dist/openapi.json', 'utf8'),
) as Document & {
  components: { schemas: { TokenCreation: { properties: object } } };
  paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }>;
};
const all = checkers(document);
const token = all('TokenCreation');
const guard = 'So11111111111111111111111111111111111111112';
const example = document.paths['/tokens/create-unsigned']?.post.requestBody.content['application/json']
  ?.example as Record<string, unknown>;

const fields = (changed: Partial<Fields> = {}): Fields => ({
  ...empty.fields,
  name: 'Paper Crane',
  symbol: 'CRANE',
  ...changed,
});
/** What is wrong with what was typed, except for the picture and the wallet, which are not typed. */
const wrong = (changed: Partial<Fields> = {}) => {
  const made = toBody(fields(changed));
  const { imageUri: _, walletId: __, ...said } = token.check(made.body) as Record<string, string>;
  return { ...said, ...made.wrong };
};

describe('the document’s rules', () => {
  it('pass its own example and what the form begins with', () => {
    expect(token.check(example)).toEqual({});
    expect(wrong()).toEqual({});
  });
  it('ask for what is needed, also for the picture and the wallet', () => {
    expect(Object.keys(token.check({})).sort()).toEqual([
      'decimals',
      'imageUri',
      'name',
      'supply',
      'symbol',
      'transferFeePercent',
      'walletId',
    ]);
    expect(wrong({ name: ' ', symbol: '', supply: '', transferFeePercent: '' })).toEqual({
      name: 'Required.',
      symbol: 'Required.',
      supply: 'Required.',
      transferFeePercent: 'Required.',
    });
  });
  it('count code points, and refuse what is hidden in a name', () => {
    expect(wrong({ name: '🦢'.repeat(32) })).toEqual({});
    expect(wrong({ name: '🦢'.repeat(33) })).toEqual({ name: 'Use at most 32 characters.' });
    expect(wrong({ symbol: 'CRANETOOLONG' })).toEqual({ symbol: 'Use at most 10 characters.' });
    for (const field of ['name', 'symbol', 'description'] as const)
      expect(wrong({ [field]: 'a\u202eb' })[field]).toContain('direction of text');
    expect(wrong({ description: 'x'.repeat(5001) })).toEqual({
      description: 'Use at most 5000 characters.',
    });
  });
  it('take hundredths of a percent, and nothing between', () => {
    for (let points = 0; points <= 10_000; points += 29) {
      const text = `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')}`;
      expect(wrong({ transferFeePercent: text }), text).toEqual({});
    }
    expect(wrong({ transferFeePercent: '5.001' })).toEqual({ transferFeePercent: 'Use at most 2 decimals.' });
    expect(wrong({ transferFeePercent: '100.01' })).toEqual({
      transferFeePercent: 'Enter a number from 0 to 100.',
    });
    expect(wrong({ percentageToSellPerDistribution: '0.5' })).toEqual({
      percentageToSellPerDistribution: 'Enter a number from 1 to 100.',
    });
    for (const text of ['-1', '1e1', '2,5,5', 'five', 'Infinity'])
      expect(wrong({ transferFeePercent: text }).transferFeePercent, text).toContain('Enter a number');
  });
  it('hold for a curve and a pool, too', () => {
    const mint = '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp';
    const curve = { tokenMint: mint, tokenAmount: '1', targetMarketCap: '100', priceMultiplier: 16 };
    expect(all('CurveCreation').check(curve)).toEqual({});
    expect(all('CurveCreation').check({ ...curve, priceMultiplier: 1 })).toEqual({
      priceMultiplier: 'Enter a number from 1.5 to 100.',
    });
    expect(
      all('PoolCreation').check({ tokenMint: mint, tokenAmount: '0', solAmount: undefined }),
    ).toMatchObject({
      tokenAmount: expect.stringContaining('Not a valid format'),
      solAmount: 'Required.',
    });
  });
});

describe('what belongs together', () => {
  it('is at most 100% for burning and the creator', () => {
    expect(wrong({ burnPercent: '60', developerFeePercent: '40' })).toEqual({});
    expect(wrong({ burnPercent: '60', developerFeePercent: '40.01' })).toEqual({
      developerFeePercent: 'The share to burn and your share add up to more than 100%.',
    });
    // 99.99 + 0.01 is a hair over 100 in floating point of other pairs: it must not be refused.
    for (const burn of ['99.99', '57.14', '33.33', '0.07'])
      expect(wrong({ burnPercent: burn, developerFeePercent: (100 - Number(burn)).toFixed(2) })).toEqual({});
  });
  it('is two to ten wallets with percentages that add up to 100, in place of the one', () => {
    const [a, b] = [
      '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx',
      '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp',
    ];
    const typed = {
      developerFeePercent: '20',
      developerWallet: a,
      creatorSplits: ` ${a} 70.01, ${b}=29.99% `,
    };
    const { body } = toBody(fields(typed));
    expect(wrong(typed)).toEqual({});
    expect(body.developerWallet).toBeUndefined();
    expect(body.creatorSplits).toEqual([
      { wallet: a, percent: 70.01 },
      { wallet: b, percent: 29.99 },
    ]);
    expect(summary(fields(typed), body).holders.join(' ')).toContain('20% goes to the 2 wallets you chose');
    const comma = { ...typed, creatorSplits: `${a} 70,01%,${b} 29,99` };
    expect(toBody(fields(comma)).body.creatorSplits).toEqual(body.creatorSplits);
    expect(toBody(fields({ creatorSplits: ' ' })).body.creatorSplits).toBeUndefined();
    expect(doubts(toBody(fields({ ...typed, developerFeePercent: '0' })).body)).toEqual([
      'Wallets are to share what you get, and your share is 0%.',
    ]);
    const bad = [
      `${a} 100`,
      `${a} 100, ${b} 0`,
      `${a} 50, ${a} 50`,
      `${a} 70, ${b} 29.99`,
      `${a} 70.005, ${b} 29.995`,
      `${a} 70,005, ${b} 29,995`,
      `${a} 70, 01, ${b} 29, 99`,
    ];
    for (const text of [...bad, `${a} 50; ${b} 50`, 'SOL 50, SOL 50', `${a} 1e2, ${b} 1`])
      expect(Object.keys(wrong({ creatorSplits: text })), text).toEqual(['creatorSplits']);
  });
  it('names the mint of another reward', () => {
    expect(toBody(fields({ reward: 'USDC' })).body.rewardToken).toBe(usdc());
    expect(wrong({ reward: 'other' }).rewardToken).toContain('mint');
    // 32 to 44 letters, and yet not 32 bytes.
    expect(wrong({ reward: 'other', rewardToken: 'z'.repeat(44) }).rewardToken).toContain(
      'Not a valid address',
    );
    expect(wrong({ developerWallet: '1'.repeat(33) }).developerWallet).toContain('Not a valid address');
  });
  it('carry the guardian, and none where the field is empty', () => {
    const guardian = usdc();
    const { body } = toBody(fields({ guardian: ` ${guardian} ` }));
    expect(body.guardian).toBe(guardian);
    expect(wrong({ guardian })).toEqual({});
    expect(summary(fields({ guardian }), body).later.join(' ')).toContain('Two of three');
    expect(toBody(fields()).body).not.toHaveProperty('guardian');
    expect(wrong({ guardian: 'z'.repeat(44) }).guardian).toContain('Not a valid address');
  });
  it('carry every field of the request', () => {
    const typed = fields({
      description: 'x',
      twitter: 'https://x.com/a',
      telegram: 'https://t.me/abcde',
      website: 'https://a.example',
      developerWallet: usdc(),
      reward: 'USDC',
      minimumHoldingRequirement: '1',
      guardian: usdc(),
    });
    const sent = {
      ...toBody(fields({ ...typed, creatorSplits: `${usdc()} 50, ${guard} 50` })).body,
      ...toBody(typed).body,
    };
    const asked = Object.keys(document.components.schemas.TokenCreation.properties);
    const elsewhere = ['imageUri', 'walletId', 'telegramGroupId'];
    expect(asked.filter((field) => !(field in sent) && !elsewhere.includes(field))).toEqual([]);
  });
});

describe('amounts', () => {
  it('are typed as whole tokens and sent exactly', () => {
    expect(toBody(fields({ supply: '1,000,000,000' })).body.supply).toBe('1000000000000000');
    expect(toBody(fields({ supply: '0.000001' })).body.supply).toBe('1');
    expect(wrong({ supply: '0' })).toEqual({ supply: 'Enter more than 0.' });
    expect(wrong({ minimumHoldingRequirement: '0' })).toEqual({});
    for (const field of ['supply', 'minimumHoldingRequirement'])
      expect(wrong({ [field]: '0,5' })[field]).toMatch(/^Did you mean 0\.5\?/);
  });
  it('follow the decimals', () => {
    const typed = { supply: '1.5', minimumHoldingRequirement: '0.000000001' };
    expect(wrong(typed).minimumHoldingRequirement).toContain('6 decimals');
    expect(toBody(fields({ ...typed, decimals: '9' })).body).toMatchObject({
      supply: '1500000000',
      minimumHoldingRequirement: '1',
    });
    expect(toBody(fields()).body.minimumHoldingRequirement).toBeUndefined();
  });
});

describe('prices', () => {
  // The figures of the document's examples.
  it('of a curve are the service’s', () => {
    const arrive = afterTax(800_000_000_000_000n, 5);
    expect(arrive).toBe(760_000_000_000_000n);
    expect(curvePrices(100_000_000_000n, arrive, 1600n, 6)).toEqual({
      start: '0.0000000438596',
      end: '0.000000701754',
    });
  });
  it('of a pool are, too', () => {
    expect(price(10_000_000_000n, 760_000_000_000_000n, 6)).toBe('0.0000000131578');
    expect(price(3n * 10n ** 9n, 2_000_000n, 6)).toBe('1.5');
    expect(afterTax(1n, 5)).toBe(0n);
  });
});
