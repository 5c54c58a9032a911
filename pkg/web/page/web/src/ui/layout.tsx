import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { config } from '../config';
import { Boundary } from './boundary';
import { Mark } from './brand';
import { Theme } from './theme';

const links = [
  ['/', 'Tokens'],
  ['/rewards', 'My rewards'],
  ['/launch', 'Launch'],
  ['/mine', 'My tokens'],
] as const;

/** The frame of every page: skip link, navigation, and a notice about the network. */
export function Layout(props: { children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Mark />
          {config.name}
        </a>
        <nav aria-label="Pages">
          {links.map(([path, name]) => (
            <a href={path} aria-current={location.pathname === path ? 'page' : undefined} key={path}>
              {name}
            </a>
          ))}
        </nav>
        <Account />
      </header>
      {config.network === 'mainnet' ? null : (
        <aside class="ribbon" aria-label="Network">
          Test network ({config.network}): nothing here has real value.
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        <Boundary>{props.children}</Boundary>
      </main>
      <footer>
        <a href="/about">How it works</a> <a href="/about#status">Status</a> <a href="/docs">API</a>{' '}
        <a href="/assets/licences.txt">Licences</a> <span class="faint">Version {config.version}</span>
        <Theme />
      </footer>
    </>
  );
}

/** The visitor's wallet. The code is fetched after the page has loaded. */
function Account() {
  const [Part, set] = useState<ComponentType | null>(null);
  useEffect(() => {
    // The page remains readable without the wallet's code.
    import('../wallet/account').then(
      (module) => set(() => module.Account),
      () => {},
    );
  }, []);
  return <div class="account">{Part ? <Part /> : null}</div>;
}
