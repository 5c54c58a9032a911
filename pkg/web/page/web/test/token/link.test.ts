import { describe, expect, it } from 'vitest';
import './page';
import { linkText, safeLink } from '../../src/token/link';
import { isAddress } from '../../src/ui/address';
import { examples } from './examples';

describe('what strangers wrote', () => {
  it('is followed only to the web', () => {
    expect(safeLink('https://example.com/a')).toBe('https://example.com/a');
    expect(safeLink('http://example.com')).toBe('http://example.com/');
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'file:///etc',
      '//example.com',
      'x',
      '',
      null,
    ])
      expect(safeLink(bad), String(bad)).toBeNull();
  });
  it('shows where it leads', () => {
    expect(linkText('https://x.com/example')).toBe('x.com/example');
    expect(linkText(`https://example.com/${'a'.repeat(60)}`)).toHaveLength(40);
  });
});

describe('an address', () => {
  it('is base58 of 32 bytes', () => {
    expect(isAddress(examples.token.mintAddress)).toBe(true);
    expect(isAddress('1'.repeat(32))).toBe(true);
    for (const bad of [
      '',
      'SOL',
      '1'.repeat(31),
      '1'.repeat(33),
      `${examples.token.mintAddress}1`,
      'O'.repeat(32),
      '0x'.padEnd(42, 'a'),
    ])
      expect(isAddress(bad), bad).toBe(false);
  });
});
