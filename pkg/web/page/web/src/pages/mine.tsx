import { MyTokens } from '../mine/list';
import '../styles/home.css';
import '../styles/launch.css';
import '../styles/mine.css';
import { isAddress } from '../ui/address';
import { later } from '../ui/later';
import { SignedIn } from '../wallet/account';

const Webhooks = later('Webhooks', async () => (await import('../mine/webhooks/panel')).Webhooks);
const Dashboard = later('The dashboard', async () => (await import('../mine/dashboard')).Dashboard);

/** The page "My tokens": the tokens and webhooks of a wallet, or all actions for a token or webhook. */
export function Page() {
  const query = new URLSearchParams(location.search);
  const mint = query.get('token') ?? '';
  const page = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return (
    <div class="mine">
      <h1>My tokens</h1>
      <SignedIn what="see your tokens and change their settings">
        {(session) =>
          isAddress(mint) ? (
            <Dashboard key={session.wallet} session={session} mint={mint} />
          ) : (
            <>
              <MyTokens key={session.wallet} session={session} page={page} />
              {page === 1 ? <Webhooks key={`webhooks ${session.wallet}`} session={session} /> : null}
            </>
          )
        }
      </SignedIn>
    </div>
  );
}
