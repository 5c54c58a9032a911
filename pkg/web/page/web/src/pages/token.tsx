import { useEffect, useMemo } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import '../styles/token.css';
import { useLoad } from '../api/load';
import { Body } from '../token/body';
import { writtenRecord } from '../token/record';
import { isAddress } from '../ui/address';
import { titled } from '../ui/brand';
import { Loaded, Notice } from '../ui/parts';
import { usePoll } from '../ui/poll';

/** Returns the mint's address from the page's address. */
const mintOf = (path: string): string => decodeURIComponent(path.split('/')[2] ?? '');

/** Reads a token's record. The client's types leave out fields that are always null. */
const read = (mintAddress: string) =>
  answer(api.GET('/tokens/{mintAddress}', { params: { path: { mintAddress } } })) as Promise<
    Schemas['Token']
  >;

function Unknown(props: { children: string }) {
  return (
    <>
      <h1>Token not found</h1>
      <Notice kind="warn">
        <p>{props.children}</p>
        <p>
          <a href="/">See all tokens</a>
        </p>
      </Notice>
    </>
  );
}

/** The page of a token. */
export function Page() {
  const mint = mintOf(location.pathname);
  const good = isAddress(mint);
  const written = useMemo(() => writtenRecord(mint), [mint]);
  const load = useLoad(good ? `token ${mint}` : null, () => read(mint), written);
  const token = load.data;
  usePoll(load.reload, token?.status === 'submitted' ? 15_000 : null);
  useEffect(() => {
    if (token) document.title = titled(`${token.name} (${token.symbol})`);
  }, [token]);
  if (!good) return <Unknown>This page’s address does not contain a mint address.</Unknown>;
  if (load.problem?.code === 'token_not_found')
    return <Unknown>No token with this address was launched here. Check the address for typos.</Unknown>;
  return (
    <div class="token-page">
      {token ? null : <h1>Token</h1>}
      <Loaded load={load} what="the token">
        {(token) => <Body token={token} />}
      </Loaded>
    </div>
  );
}
