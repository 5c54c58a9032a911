import { signal } from '@preact/signals';
import { eachLink, type LinkName } from '../token/links';
import { local } from '../ui/storage';

/** The typed text of the fields. The names are the names in the API's body. */
export interface Fields extends Readonly<Record<LinkName, string>> {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly transferFeePercent: string;
  readonly burnPercent: string;
  readonly developerFeePercent: string;
  readonly developerWallet: string;
  /** Wallets with their percentages, separated by commas. */
  readonly creatorSplits: string;
  readonly distributionInterval: string;
  readonly rewardBasis: string;
  readonly minimumHoldersPercent: string;
  readonly changeDelay: string;
  readonly percentageToSellPerDistribution: string;
  /** SOL, USDC or other. */
  readonly reward: string;
  /** Address of the mint, for another reward. */
  readonly rewardToken: string;
  /** In whole tokens, like the supply. */
  readonly minimumHoldingRequirement: string;
  readonly decimals: string;
  readonly supply: string;
  readonly transferFeeAdjustable: boolean;
  readonly immutableMetadata: boolean;
  /** Key of the guardian; '' for a token without a guardian. */
  readonly guardian: string;
}

/** Fields that hold text. */
export type TextField = { [K in keyof Fields]: Fields[K] extends string ? K : never }[keyof Fields];

/** The picture, cropped and shrunk. */
export interface Picture {
  /** As a data URL, for the preview and the upload. */
  readonly data: string;
  /** The service's address of the picture; null before the upload. */
  readonly uri: string | null;
}

/** A token that was launched from this page. */
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

/** The state of a launch, stored so that a reload loses nothing. */
export interface Draft {
  readonly fields: Fields;
  readonly picture: Picture | null;
  /** The requested distribution wallet, and the time of the request. */
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
    minimumHoldersPercent: '0',
    changeDelay: 'none',
    percentageToSellPerDistribution: '100',
    reward: 'SOL',
    rewardToken: '',
    minimumHoldingRequirement: '',
    decimals: '6',
    supply: '1,000,000,000',
    transferFeeAdjustable: false,
    immutableMetadata: false,
    guardian: '',
  },
  picture: null,
  wallet: null,
  launched: null,
};

/** The picture is large and stored separately, so that typing does not store the picture each time. */
const KEY = 'launch';
const PICTURE = 'launch-picture';

function read(): Draft {
  try {
    const found = JSON.parse(local.get(KEY) ?? '{}') as Partial<Draft>;
    const picture = JSON.parse(local.get(PICTURE) ?? 'null') as Picture | null;
    return { ...empty, ...found, fields: { ...empty.fields, ...found.fields }, picture };
  } catch {
    return empty;
  }
}

/** The draft of this browser. */
export const draft = signal<Draft>(read());

// Another tab has changed the draft. A token that was launched there is not launched here again.
addEventListener('storage', ({ key }) => {
  if (key === KEY || key === PICTURE) draft.value = read();
});

/** Changes and stores the draft. */
export function change(next: Partial<Draft>): void {
  draft.value = { ...draft.value, ...next };
  const { picture, ...rest } = draft.value;
  write(KEY, rest);
  if ('picture' in next) write(PICTURE, picture);
}

function write(key: string, value: unknown): void {
  try {
    local.set(key, JSON.stringify(value));
  } catch {
    // The storage is full or disabled: the draft lives as long as the page.
  }
}

/** Changes a field. */
export function type<K extends keyof Fields>(field: K, value: Fields[K]): void {
  change({ fields: { ...draft.value.fields, [field]: value } });
}
