import { expect, it } from 'vitest';
import client from '../../../../../client/typescript/package.json';
import page from '../../package.json';

// The page builds the package's sources with what its own lock file installs.
it('is built with the versions that the package names', () => {
  expect(page.dependencies).toMatchObject(client.dependencies);
});
