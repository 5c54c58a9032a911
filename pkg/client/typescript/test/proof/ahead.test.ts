import { expect, it } from 'vitest';
import { Fault, Unreachable } from '../../src/proof/fault.js';
import { landing } from '../../src/proof/history.js';

type Teller = Parameters<typeof landing>[0];

// As TestLandingOfSlotAhead of the other verifier.
it('is excused by a node that is behind, and not beyond a day', async () => {
  const remembers = async () => ({ first: 0n, newest: 1_000_000n });
  const node = { landing: async () => null, remembers } as unknown as Teller;
  for (const slot of [1_000_001n, 1_432_000n])
    await expect(landing(node, 's', slot, slot)).rejects.toThrow(Unreachable);
  for (const slot of [1_000_000n, 1_432_001n, 1n << 63n])
    await expect(landing(node, 's', slot, slot)).rejects.toThrow(Fault);
});
