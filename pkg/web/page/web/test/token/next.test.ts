import { describe, expect, it } from 'vitest';
import './page';
import { remark } from '../../src/token/next/words';
import { examples } from './examples';

describe('the next distribution', () => {
  const { preview } = examples;
  it('has no remark when there is something to share out', () => {
    expect(remark(preview)).toBeNull();
  });
  it('says in plain words what is special', () => {
    const none = { ...preview, slice: '0', burn: '0', sell: '0' };
    expect(remark(none)).toMatch(/Nothing to pay out yet/);
    const rest = (code: 'no_market' | 'below_cost') => ({ ...none, rest: { code, detail: '', until: null } });
    expect(remark(rest('no_market'))).toMatch(/no market/);
    expect(remark(rest('below_cost'))).toMatch(/waits for more/);
    expect(remark({ ...preview, scheduledAt: null })).toMatch(
      /^Paused by the creator.*once distributions resume/,
    );
    expect(remark({ ...none, scheduledAt: null })).toMatch(/^Paused by the creator.*none has come in/);
    expect(remark({ ...preview, sell: '0' })).toMatch(/All of it is burned/);
    expect(remark({ ...preview, holders: null, price: null })).toMatch(/known after the first sale/);
  });
});
