import { describe, expect, it } from 'vitest';
import { NEXT, next, type Phase, type State } from '../../src/wallet/phases';

const state = (phase: Phase): State<string> => ({
  phase,
  unsigned: 'unsigned',
  signed: 'signed',
  problem: null,
  retryAt: 1,
  freeAt: 2,
  told: 'Sending it …',
  changes: [],
  signature: null,
});
const phases = Object.keys(NEXT) as Phase[];

describe('the phases of a transaction', () => {
  it('follow the table, from each to each, and nothing else changes', () => {
    for (const from of phases)
      for (const to of phases) {
        const before = state(from);
        const after = next(before, { phase: to, unsigned: 'u', signed: 's', told: 't' });
        if (NEXT[from].includes(to))
          expect([after.phase, after.told, after.retryAt]).toEqual([to, 't', null]);
        else expect(after).toBe(before);
      }
  });

  it('drop nothing that is signed before its outcome is known', () => {
    expect(NEXT.held).toEqual(['held', 'finishing']);
    for (const from of phases.filter((p) => NEXT[p].includes('done'))) expect(from).toBe('finishing');
    const held = state('held');
    expect(next(held, { phase: 'empty', unsigned: null })).toBe(held);
    expect(next(held, { phase: 'ready', unsigned: 'another', signed: null })).toBe(held);
  });

  it('have a transaction, and a signed one, exactly where there is one', () => {
    for (const phase of phases) {
      const from = phases.find((p) => NEXT[p].includes(phase)) as Phase;
      const { unsigned, signed } = next(state(from), { phase });
      expect([phase, unsigned !== null, signed !== null]).toEqual([
        phase,
        !['empty', 'preparing', 'reviewed'].includes(phase),
        ['finishing', 'held', 'done'].includes(phase),
      ]);
    }
  });

  it('are each reached from the beginning', () => {
    const reached = new Set<Phase>(['empty']);
    for (const phase of reached) for (const to of NEXT[phase]) reached.add(to);
    expect([...reached].sort()).toEqual([...phases].sort());
  });
});
