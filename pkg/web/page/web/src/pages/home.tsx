import { Featured } from '../lists/featured';
import { Launchpad } from '../lists/launchpad';
import { Newest } from '../lists/newest';
import { Search } from '../lists/search';
import { lists, readView, viewLink } from '../lists/view';
import '../styles/home.css';

/** The page "Tokens": what this is, and the lists. */
export function Page() {
  const view = readView(location.search);
  return (
    <>
      <h1>Tokens that pay their holders</h1>
      <p class="lead">
        Each of these Solana tokens keeps a small tax of every transfer, and shares it out among those who
        hold the token. It goes by itself, at fixed times, and everybody can check every payment.
      </p>
      <p>
        <a class="button" href="/launch">
          Launch a token
        </a>
      </p>
      <Search />
      <nav class="tabs" aria-label="Lists">
        {lists.map(([list, name]) => (
          <a key={list} href={viewLink({ list })} aria-current={view.list === list ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <section aria-labelledby="list-title">
        <h2 id="list-title" class="hidden">
          {lists.find(([list]) => list === view.list)?.[1]}
        </h2>
        {view.list === 'featured' ? (
          <Featured after={view.after} />
        ) : view.list === 'launchpad' ? (
          <Launchpad after={view.after} />
        ) : (
          <Newest page={view.page} />
        )}
      </section>
    </>
  );
}
