import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Entry } from '../token/changes/panel';
import { Loaded } from '../ui/parts';
import type { Listed } from './words';

/** The number of newest changes that are read of a token, and the number that are shown of all tokens. */
const EACH = 5;
const SHOWN = 20;

/** A change of a token. */
interface Change {
  readonly token: Listed;
  readonly change: Schemas['PastChange'];
}

/** Returns the changes of tokens, newest first. */
export const newest = (lists: readonly (readonly Change[])[]): readonly Change[] =>
  lists
    .flat()
    .sort((a, b) => Date.parse(b.change.orderedAt) - Date.parse(a.change.orderedAt))
    .slice(0, SHOWN);

/** The creator's changes and pauses of the listed tokens. They are read when the visitor opens the part. */
export function CreatorChanges(props: { tokens: readonly Listed[] }) {
  const [open, setOpen] = useState(false);
  const { tokens } = props;
  const load = useLoad(open ? `creator changes ${tokens.map((t) => t.mintAddress).join()}` : null, () =>
    Promise.all(
      tokens.map(async (token) => {
        const { changes } = await answer(
          api.GET('/distribution/{tokenId}/changes', {
            params: { path: { tokenId: token.mintAddress }, query: { limit: EACH } },
          }),
        );
        return changes.map((change): Change => ({ token, change }));
      }),
    ),
  );
  return (
    <details class="how" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Changes and pauses of these tokens</summary>
      {open ? (
        <Loaded load={load} what="the changes">
          {(lists) => {
            const list = newest(lists);
            return list.length === 0 ? (
              <p>The creator has changed nothing since these launches.</p>
            ) : (
              <>
                <ul class="plain-list changes">
                  {list.map(({ token, change }) => (
                    <Entry
                      change={change}
                      token={token}
                      of={token}
                      key={`${token.mintAddress} ${change.version}`}
                    />
                  ))}
                </ul>
                <p class="faint">The newest changes of each token. All are on the token’s page.</p>
              </>
            );
          }}
        </Loaded>
      ) : null}
    </details>
  );
}
