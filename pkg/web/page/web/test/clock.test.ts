import { expect, it } from 'vitest';
import { inWords } from '../src/ui/clock';

it('says a wait in words, never too short', () => {
  const said = { 1: '1 second', 59001: '1 minute', 60000: '1 minute', 61000: '2 minutes' };
  const long = { 1571000: '27 minutes', 3540000: '59 minutes', 3541000: '1 hour', 3601000: '2 hours' };
  for (const [wait, words] of Object.entries({ 0: '1 second', 40000: '40 seconds', ...said, ...long }))
    expect(inWords(Number(wait)), wait).toBe(words);
});
