import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { Text } from '../../src/form/field';
import { PERCENT, SOL } from '../../src/ui/entered';

afterEach(cleanup);

function Fields() {
  const [amount, setAmount] = useState('');
  const [share, setShare] = useState('');
  const error = amount === '0,5' ? 'Did you mean 0.5?' : undefined;
  return (
    <>
      <Text name="amount" label="Deposit" reads={SOL} value={amount} onValue={setAmount} error={error} />
      <Text name="share" label="Share" reads={PERCENT} value={share} onValue={setShare} />
    </>
  );
}

/** The description of a field, as a screen reader reads it. */
const described = (label: string): string => {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby') ?? '';
  return ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');
};
const enter = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });

describe('a field for a number', () => {
  it('is described by how it was read, or by what is wrong', () => {
    render(<Fields />);
    expect(described('Deposit')).toBe('');
    enter('Deposit', '1,000');
    expect(described('Deposit')).toBe('= 1,000 SOL. The comma separates thousands.');
    enter('Deposit', '0,5');
    expect(described('Deposit')).toBe('Did you mean 0.5?');
    expect(screen.getByLabelText('Deposit').getAttribute('aria-invalid')).toBe('true');
    enter('Share', '2,5');
    expect(described('Share')).toBe('= 2.5%');
  });
  it('tells a change in a line that was there before', () => {
    render(<Fields />);
    const line = document.getElementById('amount-error');
    expect(line?.getAttribute('aria-live')).toBe('polite');
    for (const entry of ['1', '0,5', '0.5']) {
      enter('Deposit', entry);
      expect(document.getElementById('amount-error')).toBe(line);
    }
    expect(line?.textContent).toBe('= 0.5 SOL');
  });
});
