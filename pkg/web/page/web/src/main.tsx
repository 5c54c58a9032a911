import { type ComponentType, render } from 'preact';
import './styles/base.css';
import { titled } from './ui/brand';
import { Layout } from './ui/layout';
import { Notice } from './ui/parts';
import { applyTheme } from './ui/theme';

/** The pages by path. A page's code is fetched when the page is opened. A link is an ordinary navigation. */
const pages: readonly [RegExp, () => Promise<{ Page: ComponentType }>][] = [
  [/^\/$/, () => import('./pages/home')],
  [/^\/launch$/, () => import('./pages/launch')],
  [/^\/mine$/, () => import('./pages/mine')],
  [/^\/rewards$/, () => import('./pages/rewards')],
  [/^\/about$/, () => import('./pages/about')],
  [/^\/c\/[^/]+$/, () => import('./pages/creator')],
  [/^\/t\/[^/]+$/, () => import('./pages/token')],
];

async function start(): Promise<void> {
  applyTheme();
  document.title = titled(document.title);
  const app = document.getElementById('app');
  if (!app) throw new Error('The page has no place for its content');
  try {
    const load = pages.find(([path]) => path.test(location.pathname))?.[1];
    if (!load) throw new Error('The server has no page here');
    const { Page } = await load();
    // The server's HTML was visible until now.
    app.replaceChildren();
    render(
      <Layout>
        <Page />
      </Layout>,
      app,
    );
  } catch {
    app.replaceChildren();
    render(
      <Layout>
        <Notice kind="bad">
          Part of this page failed to load. <a href={location.href}>Reload the page</a>
        </Notice>
      </Layout>,
      app,
    );
  }
}

void start();
