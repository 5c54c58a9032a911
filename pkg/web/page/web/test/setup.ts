import { configure } from '@testing-library/preact';
import { afterEach, vi } from 'vitest';
import { forgetAll } from '../src/api/cache';

// The limits of a test and of what it waits for end what hangs; they judge no speed, because a busy
// machine takes many times as long.
configure({ asyncUtilTimeout: 60_000 });

// A test's responses are not those of the next test.
afterEach(() => {
  forgetAll();
  history.replaceState(null, '', location.pathname + location.search);
});

// The tests' document has no canvas, and uPlot draws in a microtask of its own: whether a chart
// came before the test had ended was chance. Browsers draw it in infra/browser.
vi.mock('uplot', () => ({
  default: class {
    static paths = {};
    cursor = {};
    setCursor(): void {}
    setSize(): void {}
    valToPos(): number {
      return 0;
    }
    destroy(): void {}
  },
}));

// Nothing scrolls in the tests' document: everything counts as in sight.
Reflect.deleteProperty(globalThis, 'IntersectionObserver');
