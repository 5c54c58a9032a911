import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { Sharing } from '../../src/form/sharing';
import { rowsOf, splits, textOf } from '../../src/form/splits';

afterEach(cleanup);

const [a, b] = [
  '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx',
  '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp',
];
let value = '';
let left = 0;

function Form() {
  const [text, setText] = useState(value);
  value = text;
  return (
    <>
      <Sharing
        name="creatorSplits"
        label="Wallets that share it"
        value={text}
        onValue={setText}
        onLeave={() => left++}
      />
      <button type="button">Save</button>
    </>
  );
}

const enter = (label: string, typed: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value: typed } });

describe('the wallets that share the creator’s part', () => {
  it('are typed in rows, and read as the text that is stored', () => {
    value = '';
    render(<Form />);
    screen.getByRole('group', { name: 'Wallets that share it' });
    fireEvent.click(screen.getByRole('button', { name: 'Share it between wallets' }));
    enter('Percent for wallet 1', '70');
    enter('Wallet 1', a as string);
    enter('Wallet 2', b as string);
    enter('Percent for wallet 2', '29,99');
    expect(value).toBe(`${a} 70, ${b} 29.99`);
    enter('Percent for wallet 2', '30');
    expect(splits(value)).toEqual([
      { wallet: a, percent: 70 },
      { wallet: b, percent: 30 },
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Add a wallet' }));
    expect(screen.getAllByRole('button', { name: /^Remove wallet/ })).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: 'Remove wallet 1' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove wallet 2' }));
    expect(value).toBe(`${b} 30`);
    fireEvent.click(screen.getByRole('button', { name: 'Remove wallet 1' }));
    expect(value).toBe('');
    expect(screen.queryByLabelText('Wallet 1')).toBeNull();
  });

  it('are judged once the visitor leaves the rows, not between two rows', () => {
    value = `${a} 70, ${b} 30`;
    left = 0;
    render(<Form />);
    const [first, second] = [screen.getByLabelText('Wallet 1'), screen.getByLabelText('Wallet 2')];
    fireEvent.focusOut(first, { relatedTarget: second });
    expect(left).toBe(0);
    fireEvent.focusOut(second, { relatedTarget: screen.getByRole('button', { name: 'Save' }) });
    expect(left).toBe(1);
  });

  it('keep incomplete rows as they were typed', () => {
    for (const text of [
      '',
      `${a} 70, ${b} 30`,
      `${a}, 30`,
      `${a} 70, `,
      `, `,
      '70, 30',
      `${a} 70.5, ${b} 29.`,
    ])
      expect(textOf(rowsOf(text))).toBe(text.trim() === '' ? '' : text.replace(/, $/, ', '));
  });
});
