import type { Schemas } from 'tokenlaunch/api';
import { isAddress, splits } from '../launch/body';
import type { Checker, Wrong } from '../launch/document';
import { reading } from '../launch/reading';
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
  const { burnPercent, developerFeePercent } = { ...settings, ...body } as Settings;
  // Hundredths are whole numbers. A sum of decimals could exceed 100 by a rounding error.
  const sum = Math.round(burnPercent * 100) + Math.round(developerFeePercent * 100);
  if (sum > 10_000 && !said.burnPercent && !said.developerFeePercent)
    wrong[body.developerFeePercent === undefined ? 'burnPercent' : 'developerFeePercent'] =
      'The share to burn and your share add up to more than 100%.';
  return { body, wrong: { ...said, ...wrong } };
}

/** Parses a field; throws a sentence. */
function readField(name: Field, typed: string, decimals: number): unknown {
  const text = typed.trim();
  switch (name) {
    case 'burnPercent':
    case 'developerFeePercent':
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
