import delays from 'virtual:delays';
import type { Schemas } from 'tokenlaunch/api';
import type { Checker, Wrong } from '../form/document';
import { reading } from '../form/reading';
import { splits } from '../form/splits';
import { isAddress } from '../ui/address';
import { decimal } from '../ui/amount';
import { number, units } from '../ui/entered';

type Settings = Schemas['DistributionSettings'];

/** The settings in the form, with their labels. */
export const labels = {
  distributionInterval: 'Payout interval',
  rewardToken: 'Pay holders in',
  burnPercent: 'Share to burn',
  developerFeePercent: 'Share for you',
  developerWallet: 'Wallet for your share',
  creatorSplits: 'Wallets that share it',
  rewardBasis: 'Who is paid',
  minimumHoldersPercent: 'Share that holders always get',
  changeDelay: 'Delay of changes for the worse',
  percentageToSellPerDistribution: 'Collected tax paid out each time',
  minimumHoldingRequirement: 'Minimum holding to be paid',
  telegramGroupId: 'Telegram group',
} as const;

export type Field = keyof typeof labels;

/** The settings in the form's format: amounts in whole tokens. */
export type Fields = Readonly<Record<Field, string>>;

export const fieldNames = Object.keys(labels) as Field[];

/** Returns the settings in the form's format. */
export const fieldsOf = (settings: Settings, decimals: number): Fields => ({
  distributionInterval: settings.distributionInterval,
  rewardToken: settings.rewardToken,
  burnPercent: String(settings.burnPercent),
  developerFeePercent: String(settings.developerFeePercent),
  developerWallet: settings.developerWallet,
  creatorSplits: settings.creatorSplits.map((one) => `${one.wallet} ${one.percent}`).join(', '),
  rewardBasis: settings.rewardBasis,
  minimumHoldersPercent: String(settings.minimumHoldersPercent),
  changeDelay: settings.changeDelay,
  percentageToSellPerDistribution: String(settings.percentageToSellPerDistribution),
  minimumHoldingRequirement: decimal(settings.minimumHoldingRequirement, decimals),
  telegramGroupId: settings.telegramGroupId,
});

/** Converts a group's Telegram address to the group's name. */
const group = (text: string): string => text.trim().replace(/^(https?:\/\/)?t\.me\/(\w+)\/?$/i, '@$2');

/**
 * Returns the body of the call, with only changed fields, and the errors: by field from the
 * document, and of combinations.
 */
export function changeOf(
  written: Partial<Fields>,
  settings: Settings,
  decimals: number,
  checker: Checker | null,
): { body: Partial<Schemas['SettingsChange']>; wrong: Wrong } {
  const { read, wrong } = reading();
  const body: Record<string, unknown> = {};
  for (const [name, typed] of Object.entries(written) as [Field, string][]) {
    const value = read(name, () => readField(name, typed, decimals));
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(settings[name])) body[name] = value;
  }
  const said = checker?.check(body) ?? {};
  const after = { ...settings, ...body } as Settings;
  const { burnPercent, developerFeePercent } = after;
  // Hundredths are whole numbers. A sum of decimals could exceed 100 by a rounding error.
  const sum = Math.round(burnPercent * 100) + Math.round(developerFeePercent * 100);
  if (sum > 10_000 && !said.burnPercent && !said.developerFeePercent)
    wrong[body.developerFeePercent === undefined ? 'burnPercent' : 'developerFeePercent'] =
      'The share to burn and your share add up to more than 100%.';
  else if (Object.keys(said).length === 0) Object.assign(wrong, promised(settings, after));
  return { body, wrong: { ...said, ...wrong } };
}

/** Returns the errors of settings that break a promise to holders. */
function promised(before: Settings, after: Settings): Wrong {
  if (delays.indexOf(after.changeDelay) < delays.indexOf(before.changeDelay))
    return { changeDelay: 'Can only be raised.' };
  const [was, least] = [before.minimumHoldersPercent, after.minimumHoldersPercent];
  if (least < was) return { minimumHoldersPercent: `Can only be raised: enter at least ${was}.` };
  if (holdersPercent(after) < least)
    return {
      [least > was ? 'minimumHoldersPercent' : 'developerFeePercent']:
        `Holders always get ${least}%, and these shares leave ${holdersPercent(after)}%.`,
    };
  if (was === 0) return {};
  if (after.rewardToken !== before.rewardToken && after.rewardToken !== 'SOL')
    return { rewardToken: 'Can only become SOL, because holders are promised a share.' };
  if (BigInt(after.minimumHoldingRequirement) > BigInt(before.minimumHoldingRequirement))
    return { minimumHoldingRequirement: 'Can only be lowered, because holders are promised a share.' };
  return {};
}

/** Returns the holders' share, in percent. */
export const holdersPercent = (s: Pick<Settings, 'burnPercent' | 'developerFeePercent'>): number =>
  (10_000 - Math.round(s.burnPercent * 100) - Math.round(s.developerFeePercent * 100)) / 100;

/** Reports whether a change lowers what holders get, so that the change waits for the delay. */
export const lowers = (before: Settings, after: Settings): boolean => {
  const seconds = (word: string) =>
    Number.parseInt(word, 10) * ({ m: 60, h: 3_600, d: 86_400 }[word.slice(-1)] ?? 0);
  return (
    after.burnPercent > before.burnPercent ||
    after.developerFeePercent > before.developerFeePercent ||
    after.percentageToSellPerDistribution < before.percentageToSellPerDistribution ||
    BigInt(after.minimumHoldingRequirement) > BigInt(before.minimumHoldingRequirement) ||
    after.rewardToken !== before.rewardToken ||
    after.rewardBasis !== before.rewardBasis ||
    seconds(after.distributionInterval) > seconds(before.distributionInterval) ||
    (before.distributionEnabled && !after.distributionEnabled)
  );
};

/** Parses a field; throws a sentence. */
function readField(name: Field, typed: string, decimals: number): unknown {
  const text = typed.trim();
  switch (name) {
    case 'burnPercent':
    case 'developerFeePercent':
    case 'minimumHoldersPercent':
    case 'percentageToSellPerDistribution':
      return number(text);
    case 'minimumHoldingRequirement': {
      const least = units(text, decimals);
      if (least === '0') throw new Error('Enter more than 0. The smallest amount pays every holder.');
      return least;
    }
    case 'developerWallet':
    case 'rewardToken':
      if (text !== 'SOL' || name === 'developerWallet')
        if (!isAddress(text)) throw new Error('Not a valid address: 32 to 44 letters and digits.');
      return text;
    case 'creatorSplits':
      return splits(text);
    case 'telegramGroupId':
      return group(text);
    default:
      return text;
  }
}
