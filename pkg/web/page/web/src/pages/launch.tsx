import { useEffect, useRef } from 'preact/hooks';
import { change, draft } from '../launch/draft';
import { Market } from '../launch/market';
import { New } from '../launch/new';
import { Result } from '../launch/result';
import { useRules } from '../launch/rules';
import { Step } from '../launch/step';
import '../styles/launch.css';
import { SignedIn } from '../wallet/account';

/** The page on which a token is launched, from the wallet to the market. */
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
        {launched ? `${launched.name} is launched` : 'Launch a token'}
      </h1>
      {launched ? (
        <div class="launch-steps">
          <Step number={1} title="Your token" done>
            <Result token={launched} onAgain={() => change({ launched: null })} />
          </Step>
          <Step number={2} title="A market for it, if you like" done={false}>
            <SignedIn what="open a market">
              {(session) => <Market session={session} token={launched} checkers={checkers.data} />}
            </SignedIn>
          </Step>
        </div>
      ) : (
        <>
          <p class="lead">
            A token with a tax on its transfers, which is shared out among those who hold it. The page makes
            the transaction, you sign it with your own wallet, and your key stays there. What you type is kept
            on this device until you are done.
          </p>
          <New checkers={checkers} />
        </>
      )}
    </>
  );
}
