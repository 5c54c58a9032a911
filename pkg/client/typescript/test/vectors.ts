import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was asked for, what the service prepared, and what a hostile API could answer instead. */
interface Vector {
  readonly name: string;
  readonly wallet: string;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly given: Readonly<Record<string, unknown>>;
}

export const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../testdata/asked.json'), 'utf8'),
) as readonly Vector[];
