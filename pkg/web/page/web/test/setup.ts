import { vi } from 'vitest';

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
