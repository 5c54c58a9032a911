import { signal } from '@preact/signals';
import { eachLink, type LinkName } from '../token/links';

/** What was typed, as it was typed. The names are those of the API's body. */
export interface Fields extends Readonly<Record<LinkName, string>> {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly transferFeePercent: string;
  readonly burnPercent: string;
  readonly developerFeePercent: string;
  readonly developerWallet: string;
  /** Wallets with their percentages, divided by commas. */
  readonly creatorSplits: string;
  readonly distributionInterval: string;
  readonly rewardBasis: string;
  readonly percentageToSellPerDistribution: string;
  /** SOL, USDC or other. */
  readonly reward: string;
  /** Address of the mint, when it is another one. */
  readonly rewardToken: string;
  /** In whole tokens, as is the supply. */
  readonly minimumHoldingRequirement: string;
  readonly decimals: string;
  readonly supply: string;
  readonly transferFeeAdjustable: boolean;
  readonly immutableMetadata: boolean;
}

/** Fields that hold text. */
export type TextField = { [K in keyof Fields]: Fields[K] extends string ? K : never }[keyof Fields];

/** The picture, cropped and shrunk. */
export interface Picture {
  /** As a data address, for the preview and the upload. */
  readonly data: string;
  /** Where the service has it; null until it was uploaded. */
  readonly uri: string | null;
}

/** A token that was launched from here. */
export interface Launched {
  readonly mint: string;
  readonly signature: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** In base units. */
  readonly supply: string;
  readonly transferFeePercent: number;
}

/** All that is known of a launch, kept so that a reload loses nothing. */
export interface Draft {
  readonly fields: Fields;
  readonly picture: Picture | null;
  /** The distribution wallet that was asked for, and when. */
  readonly wallet: { readonly id: string; readonly address: string; readonly at: number } | null;
  readonly launched: Launched | null;
}

export const empty: Draft = {
  fields: {
    name: '',
    symbol: '',
    description: '',
    ...eachLink(() => ''),
    transferFeePercent: '5',
    burnPercent: '0',
    developerFeePercent: '0',
    developerWallet: '',
    creatorSplits: '',
    distributionInterval: '1h',
    rewardBasis: 'snapshot',
    percentageToSellPerDistribution: '100',
    reward: 'SOL',
    rewardToken: '',
    minimumHoldingRequirement: '',
    decimals: '6',
    supply: '1,000,000,000',
    transferFeeAdjustable: false,
    immutableMetadata: false,
  },
  picture: null,
  wallet: null,
  launched: null,
};

/** The picture is large and lies apart, so that typing does not write it each time. */
const KEY = 'launch';
const PICTURE = 'launch-picture';

function read(): Draft {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Draft>;
    const picture = JSON.parse(localStorage.getItem(PICTURE) ?? 'null') as Picture | null;
    return { ...empty, ...found, fields: { ...empty.fields, ...found.fields }, picture };
  } catch {
    return empty;
  }
}

/** The draft of this browser. */
export const draft = signal<Draft>(read());

// Another tab has gone on with it: a token that was launched there is not launched here again.
addEventListener('storage', ({ key }) => {
  if (key === KEY || key === PICTURE) draft.value = read();
});

/** Changes the draft and writes it down. */
export function change(next: Partial<Draft>): void {
  draft.value = { ...draft.value, ...next };
  const { picture, ...rest } = draft.value;
  write(KEY, rest);
  if ('picture' in next) write(PICTURE, picture);
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or switched off: the draft lives as long as the page.
  }
}

/** Changes one field. */
export function type<K extends keyof Fields>(field: K, value: Fields[K]): void {
  change({ fields: { ...draft.value.fields, [field]: value } });
}
