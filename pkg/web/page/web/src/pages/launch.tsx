import { useEffect, useRef } from 'preact/hooks';
import { useRules } from '../form/rules';
import { change, draft } from '../launch/draft';
import { New } from '../launch/new';
import { Result } from '../launch/result';
import { Step } from '../launch/step';
import '../styles/launch.css';
import { later } from '../ui/later';
import { SignedIn } from '../wallet/account';

const Market = later('The market', async () => (await import('../launch/market')).Market);

/** The page for launching a token, from the wallet to the market. */
export function Page() {
  const { launched } = draft.value;
  const checkers = useRules();
  const head = useRef<HTMLHeadingElement>(null);
  const before = useRef(launched);
  useEffect(() => {
    if (before.current !== launched) head.current?.focus();
    before.current = launched;
  }, [launched]);
  return (
    <>
      <h1 ref={head} tabIndex={-1}>
        {launched ? `${launched.name} is live` : 'Launch a token'}
      </h1>
      {launched ? (
        <div class="launch-steps">
          <Step number={1} title="Your token" done>
            <Result token={launched} onAgain={() => change({ launched: null })} />
          </Step>
          <Step number={2} title="Open a market (optional)" done={false}>
            <SignedIn what="open a market">
              {(session) => <Market session={session} token={launched} checkers={checkers.data} />}
            </SignedIn>
          </Step>
        </div>
      ) : (
        <>
          <p class="lead">
            Create a Solana token whose transfer tax pays its holders. You sign with your own wallet, and your
            key stays there. Your draft is saved on this device.
          </p>
          <New checkers={checkers} />
        </>
      )}
    </>
  );
}
