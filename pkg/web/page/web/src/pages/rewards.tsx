import { useEffect, useState } from 'preact/hooks';
import '../styles/home.css';
import '../styles/token.css';
import '../styles/rewards.css';
import { Claim, ClaimAll, claimable } from '../rewards/claim';
import { Ledger } from '../rewards/ledger';
import { readLink, rewardsLink } from '../rewards/link';
import { NextPayout } from '../rewards/next';
import { Payments } from '../rewards/payments';
import { Telegram } from '../rewards/telegram';
import { Totals } from '../rewards/totals';
import { AskWallet } from '../token/holder/ask';
import { Section } from '../token/parts';
import { begin, connected, session } from '../wallet/session';

/** The maximum number of tokens whose next payout is estimated at once: two calls each. */
const MAX_ESTIMATES = 12;

/**
 * The rewards of a wallet from all tokens: paid, owed, due next, and every payment. Without a wallet
 * in the address, the page shows the signed-in or connected wallet.
 */
export function Page() {
  const [asked, set] = useState(() => readLink(location.search));
  const [round, setRound] = useState(0);
  useEffect(begin, []);
  const mine = session.value?.wallet ?? connected.value?.account.address ?? null;
  const wallet = asked.wallet ?? mine;
  const { mints } = asked;
  const own = session.value?.wallet === wallet ? session.value : null;
  return (
    <div class="token-page">
      <h1>My rewards</h1>
      <p>What the tokens in a wallet have paid it, what comes next, and why anything waits.</p>
      {wallet ? (
        <div key={`${wallet} ${round}`}>
          <p class="faint">
            Wallet <span class="mono">{wallet}</span>
            {own ? '' : '. Sign in with this wallet to claim what it is owed.'}
          </p>
          <Ledger
            wallet={wallet}
            mints={mints}
            above={(tokens) => (
              <>
                <Totals tokens={tokens} />
                {own ? <ClaimAll session={own} tokens={tokens} /> : null}
                {tokens.slice(0, MAX_ESTIMATES).some((t) => t.lastRun) ? (
                  <Section id="next" title="Next payouts">
                    <ul class="payments">
                      {tokens.slice(0, MAX_ESTIMATES).map((holding) =>
                        holding.lastRun ? (
                          <li key={holding.mint}>
                            <a href={`/t/${holding.mint}`}>
                              <bdi>{holding.symbol}</bdi>
                            </a>
                            <NextPayout wallet={wallet} holding={holding} />
                          </li>
                        ) : null,
                      )}
                    </ul>
                  </Section>
                ) : null}
              </>
            )}
            actions={(holding) =>
              own && claimable(holding) ? <Claim session={own} holding={holding} /> : null
            }
          />
          <Payments wallet={wallet} mint={mints.length === 1 ? (mints[0] ?? null) : null} />
          {own ? <Telegram session={own} /> : null}
        </div>
      ) : (
        <p class="faint">
          Connect your wallet above, or enter an address. Each token is shown by its last finished
          distribution.
        </p>
      )}
      <Section id="other" title={wallet ? 'Look up another wallet' : 'Look up a wallet'}>
        <AskWallet
          initial={asked.wallet ?? ''}
          onAsk={(next) => {
            history.replaceState(null, '', rewardsLink(next, mints.join()));
            set({ wallet: next, mints });
            setRound(round + 1);
          }}
        />
      </Section>
    </div>
  );
}
