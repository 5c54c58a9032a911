import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Loaded, Notice } from '../ui/parts';
import { type Holding, Row } from './row';

interface Asked {
  wallet: string;
  mints: readonly string[];
  /** The actions for a token's reward. */
  actions?: (holding: Holding) => ComponentChildren;
  /** The part above the first page's tokens. */
  above?: (tokens: readonly Holding[]) => ComponentChildren;
}

/** A wallet's received and owed rewards by token, with the reasons for waiting, page by page. */
export function Ledger(props: Asked & { cursor?: string }) {
  const { wallet, mints, actions, above, cursor = '' } = props;
  const [on, setOn] = useState(false);
  const load = useLoad(
    `rewards ${wallet} ${mints} ${cursor}`,
    () =>
      answer(
        api.GET('/holders/{wallet}', {
          params: {
            path: { wallet },
            query: { ...(mints.length > 0 ? { mints: [...mints] } : {}), ...(cursor ? { cursor } : {}) },
          },
        }),
      ) as Promise<Schemas['HolderLedger']>,
  );
  return (
    <Loaded load={load} what="the rewards of this wallet">
      {({ tokens, complete, nextCursor }) => (
        <>
          {complete || cursor ? null : (
            <Notice kind="warn">
              This wallet has too many token accounts to look at all of them. A token that is missing here
              shows what it paid on its own page.
            </Notice>
          )}
          {cursor ? null : above?.(tokens)}
          {tokens.length > 0 ? (
            <ul class="grid rewards">
              {tokens.map((holding) => (
                <Row holding={holding} key={holding.mint}>
                  {actions?.(holding)}
                </Row>
              ))}
            </ul>
          ) : nextCursor ? (
            <p class="faint">None of the tokens checked so far was launched here.</p>
          ) : cursor ? null : (
            <p class="faint">This wallet holds no token that was launched here.</p>
          )}
          {!nextCursor ? null : on ? (
            <Ledger {...props} cursor={nextCursor} />
          ) : (
            <p class="more">
              <button type="button" class="plain" onClick={() => setOn(true)}>
                {tokens.length > 0 ? 'More tokens' : 'Look further'}
              </button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
