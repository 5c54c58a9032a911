import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { rewardsLink } from '../../rewards/link';
import { Loaded } from '../../ui/parts';
import { Section } from '../parts';
import { Answer, summary } from './answer';
import { AskWallet } from './ask';

/** A wallet's received and owed rewards, and the reasons for missing rewards, by the wallet's address. */
export function Holder(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const [wallet, setWallet] = useState<string | null>(null);
  const load = useLoad(wallet && `holder ${token.mintAddress} ${wallet}`, () =>
    answer(
      api.GET('/distribution/{tokenId}/holders/{wallet}', {
        params: { path: { tokenId: token.mintAddress, wallet: wallet ?? '' } },
      }),
    ),
  );
  return (
    <Section id="holder" title="What did I get?">
      <AskWallet
        onAsk={(asked) => {
          if (asked === wallet) load.reload();
          setWallet(asked);
        }}
      />
      {/* Above the answer, which would push it away from a click that is on its way. */}
      <p>
        <a href={rewardsLink(wallet, token.mintAddress)}>
          {wallet ? 'All rewards of this wallet' : 'All rewards of a wallet'}
        </a>
      </p>
      <output class="hidden">{load.data ? summary(load.data as Schemas['Holder']) : ''}</output>
      <div>
        {wallet ? (
          <Loaded load={load} what="this wallet">
            {(holder) => <Answer holder={holder as Schemas['Holder']} token={token} />}
          </Loaded>
        ) : (
          <p class="faint">Shows the last finished distribution. You do not need to connect a wallet.</p>
        )}
      </div>
    </Section>
  );
}
