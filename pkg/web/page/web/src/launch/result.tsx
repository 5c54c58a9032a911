import { transactionLink } from '../config';
import { decimal } from '../ui/amount';
import { Address, Notice } from '../ui/parts';
import { Share } from '../ui/share';
import type { Launched } from './draft';

/** The result of a launch, and the ways to share the token. */
export function Result(props: { token: Launched; onAgain: () => void }) {
  const { token } = props;
  return (
    <>
      <Notice kind="good">
        <p>
          <strong>{token.name}</strong> is live. {decimal(token.supply, token.decimals)} {token.symbol} are in
          your wallet.
        </p>
      </Notice>
      <dl class="facts">
        <dt>Token</dt>
        <dd>
          <Address address={token.mint} of="token address" />
        </dd>
        <dt>Transaction</dt>
        <dd>
          <a href={transactionLink(token.signature)} rel="noreferrer" target="_blank">
            View in explorer
          </a>
        </dd>
      </dl>
      <p class="buttons">
        <a class="button" href={`/t/${token.mint}`}>
          Your token’s page
        </a>
        <button type="button" class="plain" onClick={props.onAgain}>
          Launch another token
        </button>
      </p>
      <Share title={token.name} link={`${location.origin}/t/${token.mint}`} />
    </>
  );
}
