import { Featured } from '../lists/featured';
import { Launchpad } from '../lists/launchpad';
import { Search } from '../lists/search';
import { Tokens } from '../lists/tokens';
import { Totals } from '../lists/totals';
import { lists, readView, viewLink } from '../lists/view';
import '../styles/home.css';
import { Mark } from '../ui/brand';
import { Rosette } from '../ui/rosette';

/** The page "Tokens": an introduction, and the lists. */
export function Page() {
  const view = readView(location.search);
  return (
    <>
      <section class="hero" aria-label="What this is">
        <div class="engraving">
          <Rosette seed="hero" />
          <Mark />
        </div>
        <h1>Tokens that pay their holders</h1>
        <p class="lead">
          Every transfer of these Solana tokens pays a small tax. On a fixed schedule, that tax is shared out
          among everyone who holds the token, and anyone can check every payment.
        </p>
        <p>
          <a class="button" href="/launch">
            Launch a token
          </a>
        </p>
        <ul>
          <li>Your key never leaves your wallet</li>
          <li>Fixed supply</li>
          <li>A proof for every payment</li>
        </ul>
      </section>
      <Totals />
      <Search q={view.q} />
      <nav class="tabs" aria-label="Lists">
        {lists.map(([list, name]) => (
          <a
            key={list}
            href={viewLink({ list })}
            aria-current={view.list === list && !view.q ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <section aria-labelledby="list-title">
        <h2 id="list-title" class="hidden">
          {view.q ? 'Found' : lists.find(([list]) => list === view.list)?.[1]}
        </h2>
        {view.list === 'featured' ? (
          <Featured after={view.after} />
        ) : view.list === 'launchpad' ? (
          <Launchpad after={view.after} />
        ) : (
          <Tokens view={view} />
        )}
      </section>
    </>
  );
}
