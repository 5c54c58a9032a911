import { Problem, type Schemas } from 'tokenlaunch/api';
import type { Asked } from 'tokenlaunch/sign';
import type { Wrong } from '../form/document';
import { LINKS } from '../token/links';
import type { Session } from '../wallet/session';
import { Transaction } from '../wallet/transaction';
import type { Body } from './body';
import { change, draft, empty } from './draft';
import { type LaunchDone, prepareLaunch, renewLaunch, reviewLaunch, submitLaunch } from './prepare';

interface Props {
  readonly session: Session;
  readonly body: Partial<Body>;
  /** All errors, including errors that are not shown yet. */
  readonly wrong: Wrong;
  readonly onLock: (locked: boolean) => void;
  /** Called to show all errors from now on. */
  readonly onTellAll: () => void;
  /** Called with the API's errors of single fields. */
  readonly onRefused: (wrong: Wrong) => void;
}

/** The names of the fields outside the form. */
const names: Readonly<Record<string, string>> = {
  picture: 'picture',
  name: 'name',
  symbol: 'symbol',
  supply: 'supply',
  transferFeePercent: 'tax',
  burnPercent: 'share to burn',
  developerFeePercent: 'your share',
  developerWallet: 'wallet for your share',
  creatorSplits: 'wallets that share it',
  rewardToken: 'reward token',
  minimumHoldingRequirement: 'minimum holding',
  percentageToSellPerDistribution: 'tax paid out each time',
  description: 'description',
  ...Object.fromEntries(LINKS.map(({ name, label }) => [name, label])),
};

/** The step that creates, shows, signs and follows the launch. */
export function CheckStep(props: Props) {
  const { session, body } = props;
  const open = [...(draft.value.picture ? [] : ['picture']), ...Object.keys(props.wrong)];
  const title = `Launch ${draft.value.fields.name.trim() || 'your token'}`;
  /** Runs a call, and reports the API's errors of fields. */
  const telling = async <T,>(call: () => Promise<T>): Promise<T> => {
    props.onRefused({});
    try {
      return await call();
    } catch (cause) {
      if (cause instanceof Problem)
        props.onRefused(
          Object.fromEntries(cause.fields.map((f) => [f.field.replace(/\[.*/, ''), f.message])),
        );
      throw cause;
    }
  };
  /** The requested launch; the metadata file names the uploaded picture. */
  const askedFor = (): Asked => ({
    kind: 'launch',
    creation: { ...body, imageUri: draft.value.picture?.uri ?? '' } as Body,
    to: draft.value.wallet?.address ?? '',
  });
  return (
    <Transaction<Schemas['UnsignedToken'], LaunchDone>
      kind="launch"
      of="new"
      stamp={JSON.stringify([body, draft.value.picture?.data.length])}
      session={session}
      title={title}
      label="Review launch"
      back="Edit"
      onLock={props.onLock}
      blocked={
        open.length === 0 ? null : (
          <>
            Still needed:{' '}
            {open.map((field, i) => (
              <span key={field}>
                {i > 0 ? ', ' : ''}
                <a href={`#${field}`} onClick={(e) => goTo(e, field, props.onTellAll)}>
                  {names[field] ?? field}
                </a>
              </span>
            ))}
            .
          </>
        )
      }
      again="You can prepare another launch"
      review={() => telling(() => reviewLaunch(session, body))}
      prepare={(key) => telling(() => prepareLaunch(session, body, key))}
      asked={askedFor}
      renew={(unsigned) => renewLaunch(session, unsigned)}
      finish={(unsigned, signed, tell, again) => submitLaunch(session, unsigned, signed, tell, again)}
      onDone={({ token, signature }) =>
        change({
          ...empty,
          launched: {
            mint: token.mintAddress,
            signature,
            name: token.name,
            symbol: token.symbol,
            decimals: token.decimals,
            supply: token.supply,
            transferFeePercent: token.transferFeePercent,
          },
        })
      }
    />
  );
}

/** Moves to a field, even in the folded part. */
function goTo(event: Event, field: string, tellAll: () => void): void {
  event.preventDefault();
  tellAll();
  const target = document.getElementById(field);
  const folded = target?.closest('details');
  if (folded) folded.open = true;
  target?.focus();
}
