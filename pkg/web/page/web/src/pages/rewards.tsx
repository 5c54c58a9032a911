import { useEffect, useState } from 'preact/hooks';
import '../styles/home.css';
import '../styles/token.css';
import '../styles/rewards.css';
import { Claim, claimable } from '../rewards/claim';
import { Ledger } from '../rewards/ledger';
import { readLink, rewardsLink } from '../rewards/link';
import { AskWallet } from '../token/holder/ask';
import { begin, session } from '../wallet/session';

/** The rewards of a wallet from all tokens: paid, owed, and the reasons for waiting. */
export function Page() {
  const [{ wallet, mints }, set] = useState(() => readLink(location.search));
  const [round, setRound] = useState(0);
  useEffect(begin, []);
  const own = session.value?.wallet === wallet ? session.value : null;
  return (
    <div class="token-page">
      <h1>My rewards</h1>
      <p>What the tokens in a wallet have paid it, what they still owe it, and why that waits.</p>
      <AskWallet
        initial={wallet ?? ''}
        onAsk={(asked) => {
          history.replaceState(null, '', rewardsLink(asked, mints.join()));
          set({ wallet: asked, mints });
          setRound(round + 1);
        }}
      />
      {wallet ? (
        <>
          {own ? null : <p class="faint">Sign in with this wallet to claim what it is owed.</p>}
          <Ledger
            key={`${wallet} ${round}`}
            wallet={wallet}
            mints={mints}
            actions={(holding) =>
              own && claimable(holding) ? <Claim session={own} holding={holding} /> : null
            }
          />
        </>
      ) : (
        <p class="faint">
          Each token is shown by its last finished distribution. You do not need to connect a wallet.
        </p>
      )}
    </div>
  );
}
