import { useMemo, useState } from 'preact/hooks';
import type { Load } from '../api/load';
import type { Checkers, Wrong } from '../form/document';
import { short } from '../ui/amount';
import { later } from '../ui/later';
import { Trouble } from '../ui/parts';
import { SignedIn } from '../wallet/account';
import { session } from '../wallet/session';
import { toBody } from './body';
import { draft } from './draft';
import { Form } from './form';
import { PictureStep } from './picture';
import { Preview } from './preview';
import { Step } from './step';

/** The code is fetched after the sign-in, which the step needs. */
const CheckStep = later('The launch', async () => (await import('./check')).CheckStep);

/** The steps up to the launch. All steps are visible together; completed steps stay completed. */
export function New(props: { checkers: Load<Checkers> }) {
  const { fields, picture } = draft.value;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [refused, setRefused] = useState<Wrong>({});
  const [locked, setLocked] = useState(false);
  const checker = props.checkers.data?.('TokenCreation') ?? null;
  const { body, wrong } = useMemo(() => {
    const made = toBody(fields);
    const {
      imageUri: _,
      walletId: __,
      ...said
    } = checker?.check(made.body) ?? ({} as Record<string, string>);
    return { body: made.body, wrong: { ...said, ...made.wrong } };
  }, [fields, checker]);
  const told = Object.fromEntries(Object.entries(wrong).filter(([field]) => all || left.has(field)));
  const complete = Object.keys(wrong).length === 0;
  const who = session.value;
  return (
    <div class="launch">
      <div class="launch-steps">
        <Step number={1} title="Your wallet" done={who !== null}>
          <SignedIn what="launch a token">
            {(s) => <p>Signed in as {short(s.wallet)}. This wallet will be the token’s creator.</p>}
          </SignedIn>
        </Step>
        <Step number={2} title="Picture" done={picture !== null}>
          <PictureStep locked={locked} />
        </Step>
        <Step number={3} title="Token" done={complete}>
          {props.checkers.problem ? (
            <>
              <Trouble
                problem={props.checkers.problem}
                retryAt={props.checkers.retryAt}
                retry={props.checkers.reload}
              />
              <p class="hint">
                You can keep typing. Your draft is saved, and is checked once the rules have loaded.
              </p>
            </>
          ) : null}
          <Form
            wrong={{ ...told, ...refused }}
            checker={checker}
            locked={locked}
            onLeave={(field) => setLeft((was) => new Set([...was, field]))}
            onType={(field) => setRefused(({ [field]: _, ...rest }) => rest)}
          />
        </Step>
      </div>
      <Preview body={body} />
      <div class="launch-steps">
        <Step number={4} title="Review and launch" done={false}>
          {who ? (
            <CheckStep
              session={who}
              body={body}
              wrong={wrong}
              onLock={setLocked}
              onTellAll={() => setAll(true)}
              onRefused={setRefused}
            />
          ) : (
            <p class="faint">Sign in first (step 1). Your draft is kept.</p>
          )}
        </Step>
      </div>
    </div>
  );
}
