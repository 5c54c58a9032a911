import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { amount, assetOf, useAssets } from '../token/asset';
import { sol } from '../ui/amount';
import { Address, Loaded } from '../ui/parts';
import { usePoll } from '../ui/poll';
import type { Session } from '../wallet/session';
import { Transaction } from '../wallet/transaction';
import { readShare } from './share';

type Token = Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals' | 'launchpad'>;
type Settings = Pick<
  Schemas['EffectiveSettings'],
  'developerFeePercent' | 'developerWallet' | 'creatorSplits'
>;
type Claim = Schemas['UnsignedFeeClaim'];

/** The interval at which the fees are read again, in milliseconds. */
const EVERY = 60_000;

/** The creator's income from a token: the share of its tax, and the fees on trades on its curve. */
export function Income(props: { session: Session; token: Token; settings: Settings | null }) {
  const { session, token, settings } = props;
  return (
    <>
      <TaxShare token={token} settings={settings} />
      {token.launchpad ? <Fees session={session} token={token} /> : null}
    </>
  );
}

/** The distributions' payments to the creator so far, with the receivers. */
function TaxShare(props: { token: Token; settings: Settings | null }) {
  const { token, settings } = props;
  const load = useLoad(`share ${token.mintAddress}`, () =>
    readShare((limit, cursor) =>
      answer(
        api.GET('/distribution/{tokenId}/runs', {
          params: { path: { tokenId: token.mintAddress }, query: { limit, ...(cursor ? { cursor } : {}) } },
        }),
      ),
    ),
  );
  const asset = useAssets(load.data?.sums.map(([id]) => id) ?? [], token);
  const splits = settings?.creatorSplits ?? [];
  return (
    <section aria-labelledby="tax-share">
      <h4 id="tax-share">Tax share</h4>
      <Loaded load={load} what="what distributions paid">
        {({ sums, distributions, more }) => (
          <p>
            {sums.length === 0
              ? `Nothing yet${more ? ` in the last ${distributions} distributions` : ''}.`
              : `${sums.map(([id, units]) => amount(asset(id), units)).join(' and ')} ${
                  more ? `in the last ${distributions} distributions` : 'so far'
                }.`}
          </p>
        )}
      </Loaded>
      {settings === null ? null : settings.developerFeePercent === 0 ? (
        <p class="faint">Your share of the tax is 0%.</p>
      ) : splits.length > 0 ? (
        <>
          <p>Your {settings.developerFeePercent}% is split:</p>
          <ul>
            {splits.map(({ wallet, percent }) => (
              <li key={wallet}>
                <Address address={wallet} of="address" /> {percent}%
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          Your {settings.developerFeePercent}% goes to{' '}
          <Address address={settings.developerWallet} of="developer's address" />
        </p>
      )}
    </section>
  );
}

/** The fees of the curve's position, with a way to claim the fees. */
function Fees(props: { session: Session; token: Token }) {
  const { session, token } = props;
  const mint = token.mintAddress;
  const path = { mintAddress: mint };
  const load = useLoad(`fees ${mint}`, () =>
    answer(api.GET('/launchpad/{mintAddress}/fees', { params: { path } })),
  );
  usePoll(load.reload, load.problem?.code === 'launchpad_cancelled' ? null : EVERY);
  const own = assetOf(mint, token);
  /** SOL, and the token if a pool also collects its fees in the token. */
  const both = (lamports: string, units: string) =>
    units === '0' ? sol(lamports) : `${sol(lamports)} and ${amount(own, units)} before its tax`;
  return (
    <section aria-labelledby="trading-fees">
      <h4 id="trading-fees">Trading fees</h4>
      {load.problem?.code === 'launchpad_cancelled' ? (
        <p>You cancelled the curve. Its fees were paid out with that.</p>
      ) : (
        <Loaded load={load} what="the trading fees">
          {(fees) => (
            <>
              <p>
                <strong>{both(fees.claimableLamports, fees.claimableTokens)}</strong> can be claimed now.{' '}
                {both(fees.claimedLamports, fees.claimedTokens)} claimed so far.
              </p>
              <Transaction<Claim>
                kind="fees"
                of={mint}
                stamp=""
                session={session}
                title="Claim trading fees"
                label="Review claim"
                blocked={
                  fees.claimableLamports === '0' && fees.claimableTokens === '0'
                    ? 'Nothing to claim yet. Every trade on the curve adds to it.'
                    : null
                }
                prepare={(key) =>
                  answer(
                    api.POST('/launchpad/{mintAddress}/fees/create-unsigned', {
                      params: { path, header: { 'Idempotency-Key': key } },
                      headers: bearer(session.token),
                      body: {},
                    }),
                  )
                }
                asked={() => ({ kind: 'fees', mint })}
                about={(claim) => (
                  <p>
                    You receive <strong>{both(claim.solAmount, claim.tokenAmount)}</strong>, and what trades
                    add until then.
                  </p>
                )}
                onDone={load.reload}
              />
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}
